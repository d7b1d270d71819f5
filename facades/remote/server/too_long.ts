import type { Message } from "../../../core/message.ts";

/**
 * A message of `bytes` that no record has room for: it stands at its place with
 * all that tells what it is, and says where it can be read.
 */
export function tooLong(message: Message, bytes: number): Message {
  const size = (bytes / 2 ** 20).toFixed(1);
  const content =
    `[${size} MiB, too long for other screens: mm sessions show prints it where the server runs]`;
  switch (message.role) {
    case "assistant": {
      const { thought: _, toolCalls, ...rest } = message;
      const calls = toolCalls?.map((c) => ({ ...c, arguments: {} }));
      return { ...rest, content, ...calls && { toolCalls: calls } };
    }
    case "tool": {
      const { diffs: _, ...rest } = message;
      return { ...rest, content };
    }
    default:
      return { ...message, content };
  }
}
