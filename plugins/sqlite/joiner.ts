import { eventProblem } from "../../core/check_event.ts";
import type { SessionEvent } from "../../core/event.ts";
import { isObject } from "../../core/json.ts";
import type { StoredMessage } from "../../core/message.ts";
import { isPart, type Part, partProblem, PARTS } from "./parts.ts";
import type { Stored } from "./rows.ts";

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
    if (!isObject(value)) return this.#addEvent(value);
    const stored = value as unknown as Stored;
    return isPart(stored) ? this.#addPart(stored) : this.#addEvent(value);
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

  #addPart({ part, messages }: Part): string | undefined {
    const last = this.events.at(-1);
    if (this.missing === 0 || last?.type !== "restored") {
      return "it is a part of no event";
    }
    if (part !== this.#came + 1) return PARTS_MISSING;
    const problem = partProblem(messages);
    if (problem !== undefined) return problem;
    for (const message of messages) this.#messages.push(message);
    this.#came++;
    if (this.missing === 0) this.close();
    return undefined;
  }
}

/** What is wrong with an event that lacks some of its parts. */
export const PARTS_MISSING = "messages of a restored conversation are missing";
