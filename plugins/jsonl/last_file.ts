import { APPEND, asItIs, type OpenFile, openFile } from "../files/open_file.ts";

/**
 * The session file that was added to last. It stays open, since opening it
 * anew for each event takes longer than all that is done with it.
 */
export class LastFile implements Disposable {
  #open: OpenFile | undefined;

  /** The file at `path` as it is now; undefined when there is none. Throws UnreadableError. */
  at(path: string): OpenFile | undefined {
    const known = this.#open?.path === path ? asItIs(this.#open) : undefined;
    if (!known) this[Symbol.dispose]();
    this.#open = known ?? openFile(path, APPEND);
    return this.#open;
  }

  [Symbol.dispose](): void {
    this.#open?.[Symbol.dispose]();
    this.#open = undefined;
  }
}
