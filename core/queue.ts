/** First in, first out, at the same small cost however long it is. */
export class Queue<T> {
  #items: (T | undefined)[] = [];
  #head = 0;

  /** How many items there are. */
  get size(): number {
    return this.#items.length - this.#head;
  }

  /** The item that is `index` after the oldest one. */
  at(index: number): T | undefined {
    return this.#items[this.#head + index];
  }

  /** Adds the newest item. */
  push(item: T): void {
    this.#items.push(item);
  }

  /** Takes the oldest item. */
  shift(): T | undefined {
    if (this.size === 0) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head++] = undefined; // its memory is free at once
    if (this.#head > 1000 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
