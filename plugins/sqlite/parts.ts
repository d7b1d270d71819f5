import { storedProblem } from "../../core/check_message.ts";
import type { SessionEvent } from "../../core/event.ts";
import type { StoredMessage } from "../../core/message.ts";
import { weigh } from "../../core/weigh.ts";

/** The type of a row that holds more messages of the event `restored` before it. */
export const PART = "restored_part";

/** Said in an event `restored`: how many such rows follow. */
export const PARTS = "$parts";

/** An event that brings a whole conversation. */
export type Restored = SessionEvent & { readonly type: "restored" };

/** What such a row holds. */
export interface Part {
  /** 1, 2, 3 … */
  readonly part: number;
  readonly messages: readonly StoredMessage[];
}

/** Tells a part from an event. */
export function isPart(stored: SessionEvent | Part): stored is Part {
  return "part" in stored && !("type" in stored);
}

/** Why a value is no messages of a part; undefined when it is. */
export function partProblem(messages: unknown): string | undefined {
  if (!Array.isArray(messages)) return `its "messages" is not a list`;
  for (const [i, message] of messages.entries()) {
    const problem = storedProblem(message);
    if (problem) return `message ${i + 1} of this part: ${problem}`;
  }
  return undefined;
}

/**
 * A whole conversation as an event with its first messages, and the rest of
 * them in parts: written and read as one, it would take many times its size in
 * memory.
 */
export function inParts(
  event: Restored,
): readonly [SessionEvent, ...Part[]] {
  const [messages = [], ...rest] = pieces(event.state.messages);
  const first = { ...event, state: { ...event.state, messages } };
  const count = rest.length > 0 ? { [PARTS]: rest.length } : {};
  const parts = rest.map((messages, i) => ({ part: i + 1, messages }));
  return [{ ...first, ...count }, ...parts];
}

function pieces(messages: readonly StoredMessage[]): StoredMessage[][] {
  const all: StoredMessage[][] = [];
  let size = Infinity;
  for (const message of messages) {
    if (size > PIECE) {
      all.push([]);
      size = 0;
    }
    all.at(-1)?.push(message);
    size += weigh(message);
  }
  return all;
}

const PIECE = 256 * 1024;
