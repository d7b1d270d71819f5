import { Lock } from "./lock.ts";

/** One writer at a time: in this process by a queue, among processes by a lock file. */
export class Writers implements AsyncDisposable {
  readonly #lock: Lock;
  #last: Promise<unknown> = Promise.resolve();

  /** The lock file is made at `lock`, in a folder that must be there by then. */
  constructor(lock: string) {
    this.#lock = new Lock(lock);
  }

  /** Runs `work` when everything asked before is done. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.catch(() => {}).then(() => this.#lock.hold(work));
    this.#last = run;
    return run;
  }

  /** Waits for all that was asked; how it ended is told to whoever asked for it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last.catch(() => {});
    this.#lock[Symbol.dispose]();
  }
}
