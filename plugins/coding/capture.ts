import { settle } from "./clean.ts";
import type { OutputFile } from "./output_file.ts";

/** Keeps the head and the tail of a text of any length, and all of it in a file once it is long. */
export class Capture implements Disposable {
  readonly #bound: number;
  readonly #open: () => OutputFile;
  readonly #encoder = new TextEncoder();
  #start = ""; // the first `bound` characters
  #tail = "";
  #length = 0;
  #saved: OutputFile | undefined;
  #failure: string | undefined;

  /** `open` makes the file; it is called only for text longer than `bound`. */
  constructor(bound: number, open: () => OutputFile) {
    this.#bound = bound;
    this.#open = open;
  }

  /** Characters so far. */
  get length(): number {
    return this.#length;
  }

  /** Where all of it is; undefined when it is short. */
  get path(): string | undefined {
    return this.#saved?.path;
  }

  add(text: string): void {
    if (text === "") return;
    const before = this.#length;
    this.#length += text.length;
    if (this.#length <= this.#bound) {
      this.#start += text;
      return;
    }
    if (before <= this.#bound) {
      this.#grow();
      this.#start += text.slice(0, this.#bound - before);
    }
    this.#write(text);
    this.#tail += text;
    // Cut now and then, not at each piece.
    if (this.#tail.length > 4 * this.#bound) {
      this.#tail = this.#tail.slice(-this.#bound);
    }
  }

  /** The text, its middle left out when it is long. `name` turns the file's path into what is shown. */
  text(name: (path: string) => string): string {
    if (this.#length <= this.#bound) return settle(this.#start);
    const head = headOf(this.#start, Math.floor(this.#bound * 0.4));
    const tail = tailOf(this.#tail, Math.floor(this.#bound * 0.6));
    const left = this.#length - head.length - tail.length;
    const where = this.#saved
      ? `all of it is in ${name(this.#saved.path)}`
      : `it could not be saved: ${this.#failure}`;
    return `${settle(head)}\n(… ${left} characters left out; ${where} …)\n${
      settle(tail)
    }`;
  }

  [Symbol.dispose](): void {
    this.#saved?.file.close();
  }

  #grow(): void {
    this.#tail = this.#start;
    try {
      this.#saved = this.#open();
    } catch (error) {
      this.#failure = error instanceof Error ? error.message : String(error);
    }
    this.#write(this.#start);
  }

  // A full disk must not lose the command's result.
  #write(text: string): void {
    if (!this.#saved || this.#failure !== undefined) return;
    try {
      const bytes = this.#encoder.encode(text);
      let at = 0;
      while (at < bytes.length) {
        at += this.#saved.file.writeSync(bytes.subarray(at));
      }
    } catch (error) {
      this.#failure = error instanceof Error ? error.message : String(error);
    }
  }
}

// Whole lines where they are not too long, whole characters always.
function headOf(text: string, max: number): string {
  const part = text.slice(0, max);
  const end = part.lastIndexOf("\n");
  return end > max / 2 ? part.slice(0, end) : part.toWellFormed();
}

function tailOf(text: string, max: number): string {
  const part = text.slice(-max);
  const start = part.indexOf("\n");
  return start >= 0 && start < max / 2
    ? part.slice(start + 1)
    : part.toWellFormed();
}
