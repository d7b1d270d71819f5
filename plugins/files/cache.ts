/** The values used last, as many as fit into a limit. */
export class Cache<V> {
  readonly #values = new Map<string, V>();
  readonly #sizeOf: (value: V) => number;
  readonly #limit: number;
  #size = 0;

  /** `limit` is in the unit of `sizeOf`; by default 64 MiB. */
  constructor(sizeOf: (value: V) => number, limit = 64 * 1024 ** 2) {
    this.#sizeOf = sizeOf;
    this.#limit = limit;
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  /** Remembers a value, whatever its size, and forgets the oldest ones past the limit. */
  set(key: string, value: V): void {
    this.delete(key);
    this.#values.set(key, value);
    this.#size += this.#sizeOf(value);
    for (const oldest of this.#values.keys()) {
      if (this.#size <= this.#limit || oldest === key) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    this.#size -= this.#sizeOf(value);
  }

  clear(): void {
    this.#values.clear();
    this.#size = 0;
  }
}
