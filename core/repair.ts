import type { EventDraft } from "./event.ts";
import type { SessionState } from "./fold.ts";
import {
  type Content,
  contentText,
  firstLine,
  type StoredMessage,
  type ToolMessage,
} from "./message.ts";
import { newMessageId } from "./id.ts";

/** The red line of a turn that a crash cut off. */
export const INTERRUPTED =
  "Interrupted: mm stopped before the answer was complete; /retry asks again";

/**
 * The events that settle a tail which a crash left unsettled, by the rules of
 * a failed turn; none when the record is whole. They are computed on read and
 * written with the next write.
 */
export function repair(state: SessionState, now: Date): readonly EventDraft[] {
  if (state.open === undefined) return [];
  const at = now.toISOString();
  return closeTurn(state, state.open, {
    line: INTERRUPTED,
    reason: "interrupted",
    result: "Interrupted: mm stopped while this ran; it may have run in part",
  }).map((event) => ({ ...event, at }));
}

/** How a turn is closed that did not come to its end. */
export interface Ending {
  /** The red line. */
  readonly line: string;
  /** An interruption has no raw error: the question stands there when it is withdrawn. */
  readonly reason: "failed" | "interrupted" | "max_turn_requests";
  /** What the model is told of calls that have no result. */
  readonly result: string;
  /** The raw error, when it says more than `line`. */
  readonly raw?: string;
}

/**
 * The end of a turn that did not come to its own: what the model had finished
 * saying and calling is kept (calls changed the world) and open calls are
 * closed; a turn without any of it is withdrawn. The record of the failure
 * holds the question either way, so that it can be asked again.
 */
export function closeTurn(
  state: SessionState,
  from: number,
  { line, reason, result, raw }: Ending,
): EventDraft[] {
  const turn = state.messages.filter((m) => m.seq >= from);
  const kept = turn.some((m) => m.role === "assistant");
  const prompt = asked(turn);
  const question = firstLine(contentText(prompt), 200);
  const more = reason === "interrupted" && !kept ? contentText(prompt) : raw;
  const failed: EventDraft = {
    type: "failed",
    kind: "generation",
    turns: state.turns,
    question,
    line,
    ...(more && { raw: more }),
    ...(prompt !== question && { prompt }),
  };
  return kept
    ? [
      ...closeCalls(turn, "failed", result),
      failed,
      { type: "settled", reason },
    ]
    : [{ type: "withdrawn", from }, failed];
}

// A steer is part of the question: asking again asks both.
function asked(turn: readonly StoredMessage[]): Content {
  const contents = turn.flatMap((m) => m.role === "user" ? [m.content] : []);
  const [first = "", ...steers] = contents;
  if (steers.length === 0) return first;
  return contents.every((c) => typeof c === "string")
    ? contents.join("\n\n")
    : contents.flatMap((c) =>
      typeof c === "string" ? [{ type: "text", text: c }] : c
    );
}

/** A result for each call of `messages` that has none. */
export function closeCalls(
  messages: readonly StoredMessage[],
  status: "failed" | "cancelled",
  content: string,
): EventDraft[] {
  const done = new Set(
    messages.flatMap((m) => m.role === "tool" ? [m.toolCallId] : []),
  );
  return messages
    .flatMap((m) => m.role === "assistant" ? m.toolCalls ?? [] : [])
    .filter((call) => !done.has(call.id))
    .map((call) => ({
      type: "message",
      message: {
        role: "tool",
        id: newMessageId(),
        toolCallId: call.id,
        name: call.name,
        content,
        status,
        approval: "auto",
      } satisfies ToolMessage,
    }));
}
