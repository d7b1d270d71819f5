/** Bounds each wait of a call, and joins that bound with the caller's signal. */
export class Watchdog implements Disposable {
  #ms: number;
  #outer: AbortSignal;
  #expired: () => Error;
  #controller = new AbortController();
  #abort = () => this.#controller.abort(this.#outer.reason);

  /** `expired` makes the error that a wait longer than `ms` ends with. */
  constructor(ms: number, outer: AbortSignal, expired: () => Error) {
    this.#ms = ms;
    this.#outer = outer;
    this.#expired = expired;
    outer.addEventListener("abort", this.#abort);
    if (outer.aborted) this.#abort();
  }

  /** Give this to what is waited for: aborted by the caller or by the bound. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Waits for one step. Time between two steps does not count. */
  async wait<T>(step: Promise<T>): Promise<T> {
    const timer = setTimeout(
      () => this.#controller.abort(this.#expired()),
      this.#ms,
    );
    try {
      return await step;
    } catch (error) {
      this.signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  [Symbol.dispose](): void {
    this.#outer.removeEventListener("abort", this.#abort);
  }
}
