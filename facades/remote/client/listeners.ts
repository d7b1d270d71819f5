/** Tells listeners that something changed, at most once a microtask. */
export class Listeners {
  readonly #listeners = new Set<() => void>();
  #telling = false;

  subscribe(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  tell(): void {
    if (this.#telling) return;
    this.#telling = true;
    queueMicrotask(() => {
      this.#telling = false;
      for (const listener of this.#listeners) listener();
    });
  }
}
