import type { Continues } from "../../../../core/copy_session.ts";
import type { StoredMessage } from "../../../../core/message.ts";
import { same } from "../../../../core/same.ts";
import { NO_RESULT } from "./transcript.ts";

/**
 * Tells of two states of a transcript, whose messages have these ids, whether
 * the first holds all that the second holds. Places do not tell: an import
 * closes the turn that was running, and an answer is written line by line, with
 * results of its first calls between them.
 */
export function continuesTranscript(ids: ReadonlySet<string>): Continues {
  return (later, earlier) => {
    // A transcript has no errors: these are of turns that were asked here.
    if (earlier.errors.length > 0 || later.seq < earlier.seq) return false;
    if (later.createdAt !== earlier.createdAt) return false;
    const now = Map.groupBy(later.messages, ({ id }) => id);
    const compacted = later.messages.find(isSummary)?.seq ?? 0;
    return earlier.messages.filter((m) => !isClosing(m)).every((message) =>
      now.get(message.id)?.some((m) => holds(m, message)) ??
        // No compaction of the other tool took what was said here.
        (message.seq <= compacted && ids.has(message.id))
    );
  };
}

// What stands where a result was missing; the file may have it by now.
function isClosing(message: StoredMessage): boolean {
  return message.role === "tool" && message.content === NO_RESULT;
}

function isSummary(message: StoredMessage): boolean {
  return message.role === "system" && message.summary === true;
}

function holds(later: StoredMessage, earlier: StoredMessage): boolean {
  if (later.role === "assistant" && earlier.role === "assistant") {
    const { content, thought = "", toolCalls = [] } = earlier;
    return later.content.startsWith(content) &&
      (later.thought ?? "").startsWith(thought) &&
      toolCalls.every((call, i) => same(call, later.toolCalls?.[i]));
  }
  return later.role === earlier.role && same(later.content, earlier.content);
}
