/**
 * Does each thing once, however often it is asked for: what is under way is
 * shared, what was done is remembered, what failed may be tried again.
 */
export class Once<T> {
  readonly #max: number;
  readonly #known = new Map<string, Promise<T>>();
  readonly #done = new Set<string>();

  /** Remembers the newest `max` of what was done. */
  constructor(max: number) {
    this.#max = max;
  }

  /** What `work` gave when it was first done under this key. */
  do(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.#known.get(key);
    if (known) return known;
    const doing = work();
    this.#known.set(key, doing);
    doing.then(() => this.#remember(key), () => this.#known.delete(key));
    return doing;
  }

  #remember(key: string): void {
    this.#done.add(key);
    if (this.#done.size <= this.#max) return;
    for (const oldest of this.#done) {
      this.#done.delete(oldest);
      this.#known.delete(oldest);
      return;
    }
  }
}
