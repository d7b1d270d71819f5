import { errorLine } from "../../core/error.ts";
import type { Model } from "../../core/model.ts";
import { soon } from "../../core/soon.ts";

/** The names a server offers, asked once in a while. */
export class Models {
  #names: readonly string[] = [];
  #asked = -Infinity;
  #asking: Promise<void> | undefined;
  readonly #stop = new AbortController();

  /** What is known now. */
  get names(): readonly string[] {
    return this.#names;
  }

  /**
   * Asks when it is time to. Resolves when the answer is there or `waitMs`
   * have passed; true when it is still to come.
   */
  async refresh(model: Model, waitMs: number): Promise<boolean> {
    if (!model.models || this.#stop.signal.aborted) return false;
    if (performance.now() - this.#asked > KEEP_MS) {
      this.#asked = performance.now();
      this.#asking = this.#ask(model);
    }
    if (!this.#asking) return false;
    return await soon(this.#asking, waitMs) === "late";
  }

  /** Resolves when no question is under way. */
  async settled(): Promise<void> {
    await this.#asking;
  }

  /** Asks no more. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#asking;
  }

  async #ask(model: Model): Promise<void> {
    try {
      const timeout = AbortSignal.any([
        this.#stop.signal,
        AbortSignal.timeout(ASK_MS),
      ]);
      this.#names = await model.models?.(timeout) ?? [];
    } catch (error) {
      if (!this.#stop.signal.aborted) {
        console.error("Cannot list the server's models:", errorLine(error));
      }
    }
    this.#asking = undefined;
  }
}

const KEEP_MS = 5 * 60_000;

const ASK_MS = 10_000;
