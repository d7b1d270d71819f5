import type { Agent } from "../../../core/agent.ts";
import type { ListQuery } from "../../../core/store.ts";
import type { Desk } from "./desk.ts";
import { Refused } from "./refused.ts";
import type { Ack, ClientMessage } from "../wire.ts";

/** What a client wants listed. */
export type ListMessage = ClientMessage & { readonly type: "list" };

/** One page of conversations, newest first. */
export async function listSessions(
  agent: Agent,
  desk: Desk,
  { text, cursor, limit = 50 }: ListMessage,
): Promise<Pick<Ack, "sessions" | "next">> {
  const query: ListQuery = {
    limit,
    ...(text && { text }),
    ...(cursor && { cursor }),
  };
  try {
    const { items, next } = await agent.list(query);
    const sessions = items.map((summary) => ({
      ...summary,
      ...(desk.running(summary.id) && { running: true }),
    }));
    return { sessions, ...(next !== undefined && { next }) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Refused("bad_message", error.message);
  }
}
