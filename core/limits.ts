import type { ToolCall } from "./message.ts";

/** The turn took as many model calls as it may. */
export class RoundLimit extends Error {}

/** Stops a model that makes the same call again and again. */
export class Repeats {
  readonly #max: number;
  #last = "";
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  check({ name, arguments: input }: ToolCall): void {
    const key = `${name} ${JSON.stringify(input)}`;
    this.#count = key === this.#last ? this.#count + 1 : 1;
    this.#last = key;
    if (this.#count > this.#max) {
      throw new Error(
        `Stopped: the model called ${name} ${this.#count} times in a row with the same arguments`,
      );
    }
  }
}
