import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { Shows } from "./shows.ts";
import { textChunk } from "./chunk.ts";

/** What stands in place of old turns. Where a client has no such thing, it is a thought: folded, and no answer. */
export function summaryUpdate(
  id: string,
  text: string,
  shows: Shows,
): SessionUpdate {
  if (!shows.compaction) {
    const intro = "Older turns are now this summary:";
    return textChunk("agent_thought_chunk", id, `${intro}\n\n${text}`);
  }
  return {
    sessionUpdate: "compaction_update",
    compactionId: id,
    status: "completed",
    summary: [{ type: "text", text }],
  };
}
