import { UserError } from "../../../core/error.ts";
import type { RefusalCode } from "../wire.ts";

/** The server did not do it, and says why; or the connection is over for good. */
export class RefusalError extends UserError {
  /** The class, for logs. */
  override readonly name = "RefusalError";
  /** What went wrong, for programs; `closed` when the client was closed, or refused, before an answer. */
  readonly code: RefusalCode | "closed";

  constructor(code: RefusalCode | "closed", message: string) {
    super(message);
    this.code = code;
  }
}
