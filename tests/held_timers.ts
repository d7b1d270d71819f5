/**
 * Timers of one length, held until the test lets them go: nothing that is
 * slow runs into them, and what waits for them waits no longer than it takes.
 * All other timers run as ever.
 */
export class HeldTimers implements Disposable {
  /** How many there were in all. */
  set = 0;
  readonly #waiting = new Map<number, () => void>();
  readonly #timeout = globalThis.setTimeout;
  readonly #clear = globalThis.clearTimeout;

  /** Holds all that are set for `ms` from now on, until it is disposed of. */
  constructor(ms: number) {
    const timeout = (run: () => void, after?: number, ...args: []) => {
      if (after !== ms) {
        return this.#timeout.call(globalThis, run, after, ...args);
      }
      const id = -(++this.set); // never one of the others'
      this.#waiting.set(id, () => run(...args));
      return id;
    };
    globalThis.setTimeout = timeout as typeof setTimeout;
    globalThis.clearTimeout = (id) => {
      if (!this.#waiting.delete(Number(id))) this.#clear.call(globalThis, id);
    };
  }

  /** How many wait now. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Their time is over: those that wait run. */
  fire(): void {
    const runs = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const run of runs) run();
  }

  [Symbol.dispose](): void {
    globalThis.setTimeout = this.#timeout;
    globalThis.clearTimeout = this.#clear;
  }
}
