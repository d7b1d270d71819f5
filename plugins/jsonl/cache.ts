import type { Light } from "../../core/light.ts";
import type { Stamp } from "../files/stamp.ts";
import type { Loaded } from "./load.ts";

/** Where the next line of a file goes, and what stands before it. */
export interface Place {
  readonly stamp: Stamp;
  /** The size, unless the end is torn. */
  readonly end: number;
  /** The last line has its line end. */
  readonly ended: boolean;
  readonly light: Light;
  /** Bytes since the last summary line. */
  readonly unsummed: number;
}

/** The sessions used last, so that neither a turn nor a read begins at the start of a file. */
export class Cache {
  readonly #places = new Map<string, Place>();
  readonly #loaded = new Map<string, Loaded>();

  place(id: string): Place | undefined {
    return this.#places.get(id);
  }

  loaded(id: string): Loaded | undefined {
    return this.#loaded.get(id);
  }

  setPlace(id: string, place: Place): void {
    this.#places.delete(id);
    this.#places.set(id, place);
    const [oldest] = this.#places.keys();
    if (this.#places.size > LIMIT_PLACES && oldest) this.#places.delete(oldest);
  }

  /** Remembers a session and forgets the oldest ones past the limit. */
  setLoaded(id: string, loaded: Loaded): void {
    this.#loaded.delete(id);
    this.#loaded.set(id, loaded);
    let bytes = 0;
    for (const [key, { stamp }] of [...this.#loaded].reverse()) {
      bytes += stamp.size;
      if (bytes > LIMIT_BYTES && key !== id) this.#loaded.delete(key);
    }
  }

  delete(id: string): void {
    this.#places.delete(id);
    this.#loaded.delete(id);
  }

  clear(): void {
    this.#places.clear();
    this.#loaded.clear();
  }
}

const LIMIT_PLACES = 1000;
const LIMIT_BYTES = 64 * 1024 ** 2;
