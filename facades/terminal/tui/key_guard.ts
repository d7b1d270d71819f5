/** Keys that come so soon after a question appeared were meant for something else. */
const DEAD_MS = 400;
/** Whoever was typing a message goes on typing it until a pause so long. */
const PAUSE_MS = 700;

/** Whose a key is: the question's, the message's that is being typed, or nobody's. */
export type Owner = "question" | "message" | "nobody";

/** Keeps a question that just appeared from taking a key that was on its way. */
export class KeyGuard {
  readonly #now: () => number;
  #lastKey = -Infinity;
  #appeared = -Infinity;
  #owner: Owner = "question";

  /** `now` in milliseconds; default: since the program began. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A question appears; `typed` tells whether a message is half typed. */
  appear(typed: boolean): void {
    this.#appeared = this.#now();
    const typing = typed && this.#appeared - this.#lastKey < PAUSE_MS;
    this.#owner = typing ? "message" : "nobody";
  }

  /** A key was pressed: whose it is. Each key that is not the question's puts its turn off. */
  key(): Owner {
    const now = this.#now();
    const typing = this.#owner === "message";
    const pause = typing
      ? now - this.#lastKey >= PAUSE_MS
      : now - Math.max(this.#appeared, this.#lastKey) >= DEAD_MS;
    if (pause) this.#owner = "question";
    this.#lastKey = now;
    return this.#owner;
  }

  /** There is no question: all keys are welcome where they go. */
  free(): void {
    this.#owner = "question";
  }
}
