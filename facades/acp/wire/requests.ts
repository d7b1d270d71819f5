import type { Id } from "./envelope.ts";

/** Requests that may wait for their answers before reading pauses. */
const MOST = 1000;

/** The client's requests that have no answer yet. An id may be used twice at a time. */
export class Requests {
  readonly #open = new Map<Id, number>();
  #count = 0;
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

  /** Resolves when another may be taken on. */
  async room(): Promise<void> {
    while (this.#count >= MOST) await this.#wake.promise;
  }

  /** Resolves when none waits, or after `ms`. */
  async allAnswered(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), ms);
    });
    try {
      while (this.#count > 0) {
        if (await Promise.race([this.#wake.promise, late]) === "late") return;
      }
    } finally {
      clearTimeout(timer);
    }
  }
}
