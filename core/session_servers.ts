import type { ServedTools } from "./server.ts";
import type { Tool } from "./tool.ts";

/** The tool servers of one session, from their start to their end. */
export class SessionServers implements AsyncDisposable {
  readonly #stop = new AbortController();
  #served: readonly ServedTools[] = [];
  /** Resolves once they run, with a line for each that does not. */
  readonly started: Promise<readonly string[]>;

  /** Starts them; the signal of `start` is aborted when they are not wanted any more. */
  constructor(
    start: (signal: AbortSignal) => Promise<readonly ServedTools[]>,
  ) {
    this.started = start(this.#stop.signal).then((served) => {
      this.#served = served;
      return served.flatMap((s) => s.problems);
    });
  }

  /** What those that run offer now: a server may change its list. */
  get tools(): readonly Tool[] {
    return this.#served.flatMap((s) => s.tools);
  }

  /** Stops them, those included that are still starting. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.started;
    const stopping = this.#served.map((s) => s[Symbol.asyncDispose]());
    await Promise.allSettled(stopping);
  }
}
