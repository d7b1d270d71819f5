import type { Agent } from "../../../core/agent.ts";
import type { SessionState } from "../../../core/fold.ts";
import { named, noSession } from "../named.ts";

/** The conversation `ref` means, as it would be resumed. */
export async function openOne(
  agent: Agent,
  ref: string,
): Promise<{ readonly id: string; readonly state: SessionState }> {
  const id = await named(agent, ref);
  const state = await agent.read(id);
  if (state) return { id, state };
  throw noSession(id);
}
