import { eventProblem } from "../../core/check_event.ts";
import { storedProblem } from "../../core/check_message.ts";
import type { SessionEvent } from "../../core/event.ts";
import { isObject } from "../../core/json.ts";
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
  return "part" in stored;
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

/** Makes events of what rows hold, one after the other. */
export class Joiner {
  readonly events: SessionEvent[] = [];
  #messages: StoredMessage[] = [];
  #parts = 0;
  #came = 0;

  /** Parts that the last event lacks. */
  get missing(): number {
    return this.#parts - this.#came;
  }

  /** Takes what a row holds; gives why it cannot be. */
  add(value: unknown): string | undefined {
    return isObject(value) && typeof value.part === "number"
      ? this.#addPart(value)
      : this.#addEvent(value);
  }

  /** Lets the last event do with the parts that came; gives the place of its last message. */
  close(): number | undefined {
    const last = this.events.at(-1);
    if (last?.type !== "restored") return undefined;
    this.#parts = this.#came;
    const state = { ...last.state, messages: this.#messages };
    this.events.splice(-1, 1, { ...last, state });
    return this.#messages.at(-1)?.seq;
  }

  #addEvent(value: unknown): string | undefined {
    if (this.missing > 0) return PARTS_MISSING;
    const problem = eventProblem(value);
    if (problem !== undefined) return problem;
    const { [PARTS]: parts, ...event } = value as SessionEvent & {
      readonly [PARTS]?: number;
    };
    this.events.push(event);
    if (event.type !== "restored") return undefined;
    this.#messages = [...event.state.messages];
    this.#parts = parts ?? 0;
    this.#came = 0;
    return undefined;
  }

  #addPart({ part, messages }: Readonly<Record<string, unknown>>) {
    const last = this.events.at(-1);
    if (this.missing === 0 || last?.type !== "restored") {
      return "it is a part of no event";
    }
    if (part !== this.#came + 1) return PARTS_MISSING;
    const problem = partProblem(messages);
    if (problem !== undefined) return problem;
    for (const message of messages as readonly StoredMessage[]) {
      this.#messages.push(message);
    }
    this.#came++;
    if (this.missing === 0) this.close();
    return undefined;
  }
}

/** What is wrong with an event that lacks some of its parts. */
export const PARTS_MISSING = "messages of a restored conversation are missing";
