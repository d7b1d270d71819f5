import type { Loaded } from "./load.ts";

/** The sessions read last, so that reading again takes only what is new. */
export class Cache {
  readonly #loaded = new Map<string, Loaded>();

  get(id: string): Loaded | undefined {
    return this.#loaded.get(id);
  }

  /** Remembers a session and forgets the oldest ones past the limit. */
  set(id: string, loaded: Loaded): void {
    this.#loaded.delete(id);
    this.#loaded.set(id, loaded);
    let sum = 0;
    for (const [key, { bytes }] of [...this.#loaded].reverse()) {
      sum += bytes;
      if (sum > LIMIT_BYTES && key !== id) this.#loaded.delete(key);
    }
  }

  delete(id: string): void {
    this.#loaded.delete(id);
  }
}

const LIMIT_BYTES = 64 * 1024 ** 2;
