import type {
  ListSessionsResponse,
  SessionInfo,
} from "@agentclientprotocol/sdk";
import type { Agent } from "../../core/agent.ts";
import type { Summary } from "../../core/store.ts";
import { invalid } from "./fault.ts";

/** One page of stored conversations, newest first. */
export async function sessionList(
  agent: Agent,
  filter: { readonly cwd?: string },
  cursor: string | null | undefined,
): Promise<ListSessionsResponse> {
  try {
    const query = { ...filter, limit: PAGE, ...(cursor && { cursor }) };
    const { items, next } = await agent.list(query);
    return {
      sessions: items.map((summary) => info(summary, agent)),
      ...(next !== undefined && { nextCursor: next }),
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalid("Cannot list sessions: the cursor is none of ours");
  }
}

const PAGE = 50;

function info(summary: Summary, agent: Agent): SessionInfo {
  const { id, cwd, title, updatedAt, turns, errors, unreadable } = summary;
  return {
    sessionId: id,
    cwd: cwd || agent.cwd,
    title: unreadable === undefined ? title || null : `(${unreadable})`,
    ...(updatedAt && { updatedAt }),
    _meta: { turns, errors },
  };
}
