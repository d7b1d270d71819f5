/** Cuts a stream of bytes into lines. */
export class Lines {
  readonly #max: number;
  #parts: Uint8Array[] = [];
  #size = 0;

  /** `max`: bytes a line may have. */
  constructor(max: number) {
    this.#max = max;
  }

  /** The lines that `chunk` completes. Throws a RangeError when one is too long. */
  push(chunk: Uint8Array): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let end; (end = chunk.indexOf(10, from)) !== -1; from = end + 1) {
      this.#add(chunk.subarray(from, end));
      lines.push(this.#take());
    }
    this.#add(chunk.subarray(from));
    return lines;
  }

  #add(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > this.#max) {
      throw new RangeError(`it sent a line of more than ${this.#max} bytes`);
    }
    if (part.length > 0) this.#parts.push(part);
  }

  #take(): string {
    const decoder = new TextDecoder();
    const texts = this.#parts.map((p) => decoder.decode(p, { stream: true }));
    this.#parts = [];
    this.#size = 0;
    return texts.join("") + decoder.decode();
  }
}
