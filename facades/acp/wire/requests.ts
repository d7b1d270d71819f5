import type { Id } from "./envelope.ts";

/** Requests that may wait for their answers. */
const MOST = 1000;

/** How long one more is held back before it is refused: those that wait may wait for the client. */
const HOLD_MS = 1000;

/** The client's requests that have no answer yet. An id may be used twice at a time. */
export class Requests {
  readonly #open = new Map<Id, number>();
  #count = 0;
  #stuck = false;
  #wake = Promise.withResolvers<void>();

  add(id: Id): void {
    this.#open.set(id, (this.#open.get(id) ?? 0) + 1);
    this.#count++;
  }

  done(id: Id): void {
    const count = this.#open.get(id);
    if (count === undefined) return;
    if (count > 1) this.#open.set(id, count - 1);
    else this.#open.delete(id);
    this.#count--;
    this.#stuck = false;
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }

  /** No answer will be given any more. */
  close(): void {
    this.#open.clear();
    this.#count = 0;
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }

  /** Resolves when no request with this id waits. */
  async answered(id: Id): Promise<void> {
    while (this.#open.has(id)) await this.#wake.promise;
  }

  /** True once another may be taken on; false when none of those that wait is answered. */
  async room(): Promise<boolean> {
    if (this.#count < MOST) return true;
    if (this.#stuck) return false;
    this.#stuck = !await this.#fewer(MOST, HOLD_MS);
    return !this.#stuck;
  }

  /** Resolves when none waits, or after `ms`. */
  async allAnswered(ms: number): Promise<void> {
    await this.#fewer(1, ms);
  }

  // False when it took too long.
  async #fewer(than: number, ms: number): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), ms);
    });
    try {
      while (this.#count >= than) {
        const end = await Promise.race([this.#wake.promise, late]);
        if (end === "late") return false;
      }
      return true;
    } finally {
      clearTimeout(timer);
    }
  }
}
