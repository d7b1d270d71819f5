import { UserError } from "../../core/error.ts";
import { findSession } from "../../core/find.ts";
import type { AgentHandle, SessionHandle } from "../../core/handle.ts";
import { isId } from "../../core/id.ts";
import { UsageError } from "./usage_error.ts";

/**
 * The id of the stored session `ref` means: `-1`, an id or its end, text of the
 * title. What was set aside has a name and is listed, but is no session any more.
 */
export async function named(agent: AgentHandle, ref: string): Promise<string> {
  const id = await found(agent, ref);
  if (isId(id)) return id;
  throw new UsageError(
    `Cannot use session "${id}": it was unreadable and set aside; its file is in .mm/sessions`,
  );
}

/** The conversation that `ref` means, to go on with; none without `ref`. */
export async function resumed<S extends SessionHandle>(
  agent: Sessions<S> & AgentHandle,
  ref: string | undefined,
): Promise<S | undefined> {
  if (ref === undefined) return undefined;
  const id = await named(agent, ref);
  const session = await agent.session(id);
  if (session) return session;
  throw noSession(id);
}

interface Sessions<S> {
  session(id: string): Promise<S | undefined>;
}

/** What to throw where an id names nothing. */
export function noSession(id: string): UsageError {
  return new UsageError(
    `Cannot find session "${id}": list them with mm sessions list`,
  );
}

async function found(agent: AgentHandle, ref: string): Promise<string> {
  try {
    return await findSession(agent, ref);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}
