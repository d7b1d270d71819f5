/** A line without its end, or what became of one that was too long. */
export type Line = Uint8Array | "too long";

const LF = 10;

/** Splits bytes into lines. Of a line longer than `max` bytes nothing is kept. */
export class LineSplitter {
  readonly #max: number;
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** The lines that `chunk` completes. */
  *push(chunk: Uint8Array): Generator<Line> {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(LF, from);
      if (end < 0) break;
      this.#hold(chunk.subarray(from, end));
      yield this.#take();
      from = end + 1;
    }
    this.#hold(chunk.slice(from)); // a copy: the chunk may be reused
  }

  /** The last line, when no newline ends it. */
  *end(): Generator<Line> {
    if (this.#size > 0) yield this.#take();
  }

  #hold(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > this.#max) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #take(): Line {
    const parts = this.#parts;
    const size = this.#size;
    this.#parts = [];
    this.#size = 0;
    if (size > this.#max) return "too long";
    const [first] = parts;
    if (parts.length === 1 && first) return first;
    const line = new Uint8Array(size);
    let at = 0;
    for (const part of parts) {
      line.set(part, at);
      at += part.length;
    }
    return line;
  }
}
