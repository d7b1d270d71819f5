import type { Part } from "../wire.ts";

/** What may wait to be whole, in UTF-16 units, of all frames together. */
const MAX_WAITING = 64 * 1024 * 1024;

/** Puts frames together again that were cut up on the way. */
export class Parts {
  readonly #waiting = new Map<string, { next: number; texts: string[] }>();
  #size = 0;

  /** The whole frame once its last part is here; parts out of order are dropped. */
  add({ id, seq, last, text }: Part): string | undefined {
    const begun = seq === 0 ? { next: 0, texts: [] } : this.#waiting.get(id);
    if (seq === 0) this.#drop(id);
    if (!begun || seq !== begun.next) return this.#drop(id);
    begun.next++;
    begun.texts.push(text);
    this.#waiting.set(id, begun);
    this.#size += text.length;
    if (this.#size > MAX_WAITING) return this.#drop(id);
    if (!last) return undefined;
    this.#drop(id);
    return begun.texts.join("");
  }

  #drop(id: string): undefined {
    for (const text of this.#waiting.get(id)?.texts ?? []) {
      this.#size -= text.length;
    }
    this.#waiting.delete(id);
  }
}
