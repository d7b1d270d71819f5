import type { Update } from "../../core/event.ts";
import type { ReplayItem } from "../../core/replay.ts";
import type { Output } from "./output.ts";
import type { PlainPrinter } from "./plain_printer.ts";
import type { Printer } from "./printer.ts";

/** Every update as a line of JSON on stdout; what has no event goes to stderr. */
export class JsonPrinter implements Printer {
  readonly #out: Output;
  readonly #rest: PlainPrinter;

  constructor(out: Output, rest: PlainPrinter) {
    this.#out = out;
    this.#rest = rest;
  }

  shows(id: string): void {
    this.#line({ type: "session", id });
  }

  update(update: Update): void {
    this.#line(update);
  }

  async replay(items: Iterable<ReplayItem>): Promise<void> {
    for (const item of items) {
      this.#line({ type: "replay", item });
      await this.#out.room();
    }
  }

  say(markdown: string): void {
    this.#rest.say(markdown, "report");
  }

  fail(line: string): void {
    this.#rest.fail(line);
  }

  note(text: string): void {
    this.#rest.note(text);
  }

  #line(value: unknown): void {
    this.#out.write(JSON.stringify(value) + "\n");
  }
}
