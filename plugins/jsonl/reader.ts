import { eventProblem } from "../../core/check_event.ts";
import type { SessionEvent } from "../../core/event.ts";
import { isObject, tryParse } from "../../core/json.ts";
import { headerProblem, MORE } from "./lines.ts";

/** A line that makes a file unreadable. */
export class BadLine extends Error {}

/**
 * Makes events of the lines of a file, one after the other. A line that came
 * twice counts once. The end may be torn: a last line that was cut off, or
 * events of which not all arrived that were added together.
 */
export class Reader {
  /** The events so far, torn ones included until `end`. */
  readonly events: SessionEvent[] = [];
  readonly #id: string;
  readonly #problem: (value: unknown) => string | undefined;
  #line: number; // of the last one read
  #last: number | undefined; // seq
  #open = WHOLE; // of what was added together and is not whole yet

  /** Reads from the start, or on after the event `last`; `problem` says what is wrong with one. */
  constructor(id: string, last?: number, problem = eventProblem) {
    this.#id = id;
    this.#problem = problem;
    this.#line = last === undefined ? 0 : 1;
    this.#last = last;
  }

  /** Reads a whole line. Throws BadLine. */
  add(text: string): void {
    this.#line++;
    if (text.trim() === "") return this.#skip(); // an editor's
    const value = tryParse(this.#line === 1 ? text.replace(BOM, "") : text);
    if (this.#line === 1) return this.#check(headerProblem(value, this.#id));
    if (isNote(value)) return this.#skip();
    this.#check(isObject(value) ? undefined : "it is not a JSON object");
    this.#check(this.#problem(value));
    const { [MORE]: more, ...event } = value as SessionEvent & {
      [MORE]?: unknown;
    };
    if (this.#isKnown(event)) return this.#skip();
    this.#check(this.#orderProblem(event));
    this.events.push(event);
    this.#last = event.seq;
    const { lines, events } = this.#open;
    this.#open = more === true
      ? { lines: lines + 1, events: events + 1 }
      : WHOLE;
  }

  /** Reads what follows the last line end; gives the number of lines that do not count. */
  end(rest: string): number {
    const cut = rest !== "" && !this.#tryAdd(rest);
    const { lines, events } = this.#open;
    this.events.length -= events;
    return lines + (cut ? 1 : 0);
  }

  // A person's editor may leave out the last line end: then it is an event all the same.
  #tryAdd(rest: string): boolean {
    try {
      this.add(rest);
      return true;
    } catch (error) {
      if (error instanceof BadLine && this.#line > 1) return false;
      throw error;
    }
  }

  #skip(): void {
    const { lines, events } = this.#open;
    if (lines > 0) this.#open = { lines: lines + 1, events };
  }

  #isKnown(event: SessionEvent): boolean {
    if (this.#last === undefined || event.seq > this.#last) return false;
    const first = this.events[0]?.seq ?? Infinity;
    const known = this.events[event.seq - first];
    return JSON.stringify(known) === JSON.stringify(event);
  }

  #orderProblem({ seq }: SessionEvent): string | undefined {
    if (this.#last === undefined || seq === this.#last + 1) return undefined;
    return `event ${seq} comes after event ${this.#last}`;
  }

  #check(problem: string | undefined): void {
    if (problem === undefined) return;
    throw new BadLine(
      this.#line === 1 ? problem : `line ${this.#line}: ${problem}`,
    );
  }
}

const WHOLE = { lines: 0, events: 0 };
const BOM = /^\ufeff/; // an editor's, too

/** Tells what the store notes in a file for itself from the events. */
export function isNote(value: unknown): boolean {
  return isObject(value) && value.seq === undefined &&
    (value.type === "summary" || value.type === "session");
}
