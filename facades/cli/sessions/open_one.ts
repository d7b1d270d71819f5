import type { Agent } from "../../../core/agent.ts";
import type { SessionState } from "../../../core/fold.ts";
import { isId } from "../../../core/id.ts";
import { named } from "../named.ts";
import { UsageError } from "../usage_error.ts";

/** The conversation `ref` means, as it would be resumed. */
export async function openOne(
  agent: Agent,
  ref: string,
): Promise<{ readonly id: string; readonly state: SessionState }> {
  const id = await idOf(agent, ref);
  const state = await agent.read(id);
  if (state) return { id, state };
  throw new UsageError(
    `Cannot find session "${id}": list them with mm sessions list`,
  );
}

/** The id `ref` means. What was set aside has a name and is listed, but is no session any more. */
export async function idOf(agent: Agent, ref: string): Promise<string> {
  const id = await named(agent, ref);
  if (isId(id)) return id;
  throw new UsageError(
    `Cannot use session "${id}": it was unreadable and set aside; its file is in .mm/sessions`,
  );
}
