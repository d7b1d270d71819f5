import type { ContentBlock, SessionUpdate } from "@agentclientprotocol/sdk";
import type { Content } from "../../../core/message.ts";

type Role =
  | "user_message_chunk"
  | "agent_message_chunk"
  | "agent_thought_chunk";

/** A piece of text of the message `messageId`. */
export function textChunk(
  sessionUpdate: Role,
  messageId: string,
  text: string,
): SessionUpdate {
  return { sessionUpdate, messageId, content: { type: "text", text } };
}

/** The user's own message, a chunk for each block. */
export function userChunks(
  messageId: string,
  content: Content,
): SessionUpdate[] {
  const blocks = typeof content === "string"
    ? [{ type: "text", text: content } as const]
    : content;
  return blocks.map((block) => ({
    sessionUpdate: "user_message_chunk",
    messageId,
    content: block as ContentBlock, // kept in ACP's own shape
  }));
}
