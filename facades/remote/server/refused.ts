import { errorLine, ModelError, UserError } from "../../../core/error.ts";
import type { Refusal, RefusalCode } from "../wire.ts";

/** Why a message of a client is not done. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** What the client is told. Unexpected errors go to the log, not to the client. */
export function refusal(error: unknown, id?: string): Refusal {
  const named = { type: "error", ...(id !== undefined && { id }) } as const;
  if (error instanceof Refused) {
    return { ...named, code: error.code, message: error.message };
  }
  if (error instanceof UserError || error instanceof ModelError) {
    return { ...named, code: "failed", message: errorLine(error) };
  }
  console.error("Unexpected error:", error);
  return { ...named, code: "failed", message: "Internal error" };
}
