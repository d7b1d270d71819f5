import type { Agent } from "../../core/agent.ts";
import { UserError } from "../../core/error.ts";
import { findSession } from "../../core/find.ts";
import { UsageError } from "./usage_error.ts";

/** The id of the stored session `ref` means: `-1`, an id or its end, text of the title. */
export async function named(agent: Agent, ref: string): Promise<string> {
  try {
    return await findSession(agent, ref);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}
