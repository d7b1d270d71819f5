import type { Agent } from "../../../core/agent.ts";
import type { SessionState } from "../../../core/fold.ts";
import type { Flags } from "../flags.ts";
import { named, noSession } from "../named.ts";

/** The conversation `ref` means, else `--session`, else the latest; as it would be resumed. */
export async function openOne(
  agent: Agent,
  ref: string | undefined,
  { session = "-1" }: Flags,
): Promise<{ readonly id: string; readonly state: SessionState }> {
  const id = await named(agent, ref ?? session);
  const state = await agent.read(id);
  if (state) return { id, state };
  throw noSession(id);
}
