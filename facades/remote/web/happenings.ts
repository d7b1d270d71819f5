import type { Change } from "../client/mirror.ts";

/** Hears of what happens now, replays left out. */
export type Listener = (change: Change) => void;

/** Passes on what the client core tells one listener. */
export class Happenings {
  readonly #listeners = new Set<Listener>();

  /** For the client core. */
  readonly tell: Listener = (change) => {
    if (!change.live) return;
    for (const listener of this.#listeners) listener(change);
  };

  /** Calls `listener` until the returned function is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
