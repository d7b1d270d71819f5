import type { Loaded } from "./load.ts";

/** The sessions used last, so that a turn need not read its file again. */
export class Cache {
  readonly #loaded = new Map<string, Loaded>();

  get(id: string): Loaded | undefined {
    return this.#loaded.get(id);
  }

  /** Remembers a session and forgets the oldest ones past the limit. */
  set(id: string, loaded: Loaded): void {
    this.#loaded.delete(id);
    this.#loaded.set(id, loaded);
    let bytes = 0;
    for (const [key, { stamp }] of [...this.#loaded].reverse()) {
      bytes += stamp.size;
      if (bytes > LIMIT_BYTES && key !== id) this.#loaded.delete(key);
    }
  }

  delete(id: string): void {
    this.#loaded.delete(id);
  }

  clear(): void {
    this.#loaded.clear();
  }
}

const LIMIT_BYTES = 64 * 1024 ** 2;
