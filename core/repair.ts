import type { EventDraft } from "./event.ts";
import type { SessionState } from "./fold.ts";
import {
  contentText,
  firstLine,
  type StoredMessage,
  type ToolMessage,
} from "./message.ts";
import { randomHex } from "./id.ts";

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
  const question = state.messages.find((m) => m.seq === state.open);
  const at = now.toISOString();
  return closeTurn(state, state.open, {
    line: INTERRUPTED,
    reason: "interrupted",
    result: "Interrupted: mm stopped while this ran; it may have run in part",
    ...(question?.role === "user" && {
      raw: contentText(question.content),
      onlyWithdrawn: true,
    }),
  }).map((event) => ({ ...event, at }));
}

interface Ending {
  readonly line: string;
  readonly reason: "failed" | "interrupted";
  /** What the model is told of calls that have no result. */
  readonly result: string;
  readonly raw?: string;
  /** `raw` is the question: recorded only when the question is withdrawn. */
  readonly onlyWithdrawn?: boolean;
}

/**
 * The end of a turn that gave no answer: a turn that called tools keeps them
 * (they changed the world) and has its open calls closed; any other is
 * withdrawn, and the record of the failure holds its question.
 */
export function closeTurn(
  state: SessionState,
  from: number,
  ending: Ending,
): EventDraft[] {
  const turn = state.messages.filter((m) => m.seq >= from);
  const asked = turn.find((m) => m.role === "user");
  const prompt = asked?.role === "user" ? asked.content : "";
  const question = firstLine(contentText(prompt), 200);
  const kept = turn.some((m) => m.role === "assistant" && m.toolCalls?.length);
  const raw = ending.onlyWithdrawn && kept ? undefined : ending.raw;
  const failed: EventDraft = {
    type: "failed",
    kind: "generation",
    turns: state.turns,
    question,
    line: ending.line,
    ...(raw !== undefined && { raw }),
    ...(!kept && prompt !== question && { prompt }),
  };
  return kept
    ? [
      ...closeCalls(turn, "failed", ending.result),
      failed,
      { type: "settled", reason: ending.reason },
    ]
    : [{ type: "withdrawn", from }, failed];
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
        id: `m-${randomHex(12)}`,
        toolCallId: call.id,
        name: call.name,
        content,
        status,
        approval: "auto",
      } satisfies ToolMessage,
    }));
}
