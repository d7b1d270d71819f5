import type { Sink } from "./edges.ts";

const encoder = new TextEncoder();

const ROOM = 256 * 1024; // UTF-16 units

/** Text on its way to a sink, in order; what waits is written in one piece. */
export class Output {
  readonly #sink: Sink;
  readonly #onLost: (error: unknown) => void;
  readonly #buffer = new Uint8Array(64 * 1024);
  #waiting = "";
  #writing: Promise<void> | undefined;
  #lost = false;

  /** `onLost` hears, once, that nothing can be written any more. */
  constructor(sink: Sink, onLost: (error: unknown) => void = () => {}) {
    this.#sink = sink;
    this.#onLost = onLost;
  }

  get isTerminal(): boolean {
    return this.#sink.isTerminal;
  }

  write(text: string): void {
    if (this.#lost) return;
    this.#waiting += text;
    this.#writing ??= this.#drain();
  }

  /** Resolves once little waits: a long text need not be held whole beside its source. */
  async room(): Promise<void> {
    if (this.#waiting.length > ROOM) await this.flush();
  }

  /** Resolves when all that was written is out, or lost. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#waiting) await (this.#writing = this.#drain(true));
  }

  async #drain(last = false): Promise<void> {
    try {
      await Promise.resolve();
      for (let text = this.#take(last); text; text = this.#take(last)) {
        await this.#writeAll(text);
      }
    } catch (error) {
      this.#lost = true;
      this.#waiting = "";
      this.#onLost(error);
    } finally {
      this.#writing = undefined;
    }
  }

  // Half of a surrogate pair waits for the other half.
  #take(last: boolean): string {
    const half = !last && /[\ud800-\udbff]$/.test(this.#waiting) ? 1 : 0;
    const text = this.#waiting.slice(0, this.#waiting.length - half);
    this.#waiting = this.#waiting.slice(text.length);
    return text;
  }

  // One small buffer, used again: a long text is not encoded whole beside itself.
  async #writeAll(text: string): Promise<void> {
    for (let rest = text; rest.length > 0;) {
      const { read, written } = encoder.encodeInto(rest, this.#buffer);
      rest = rest.slice(read);
      for (let done = 0; done < written;) {
        done += await this.#sink.write(this.#buffer.subarray(done, written));
      }
    }
  }
}
