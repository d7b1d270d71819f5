import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { randomHex } from "../../../core/id.ts";
import { textChunk } from "./chunk.ts";
import type { Shows } from "./shows.ts";

/** Something to know now, which is no part of the conversation. */
export function noticeUpdate(
  severity: "info" | "warning" | "error",
  title: string,
  shows: Shows,
): SessionUpdate {
  if (shows.notices) return { sessionUpdate: "notice", severity, title };
  // An error must be seen; the rest may stay folded.
  const role = severity === "error"
    ? "agent_message_chunk"
    : "agent_thought_chunk";
  return textChunk(role, `notice-${randomHex(12)}`, `${title}\n`);
}
