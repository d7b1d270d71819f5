/** A piece of Markdown that can be shown on its own. */
export interface Segment {
  readonly text: string;
  /** The next piece continues this one. */
  readonly cut: boolean;
}

/** Longest piece, in UTF-16 units: what is parsed again for each delta. */
const MAX_SEGMENT = 4_000;

/**
 * Cuts growing Markdown at the empty lines between its blocks, so that only
 * the last piece is still changing. Where it cuts depends on the text alone,
 * not on how it arrived: a live answer and its replay look the same.
 */
export class Segments {
  #text = ""; // of the open piece
  #scanned = 0; // up to here, whole lines were looked at
  #gap: number | undefined; // where the empty lines before `#scanned` begin
  #fence: string | undefined;

  /** The piece that still grows. */
  get open(): string {
    return this.#text;
  }

  /** Adds text; yields the pieces it completes. */
  *push(text: string): Generator<Segment> {
    this.#text += text;
    while (true) {
      const end = this.#text.indexOf("\n", this.#scanned);
      const reach = end === -1 ? this.#text.length : end;
      if (reach - this.#scanned > MAX_SEGMENT) {
        yield* this.#cut(this.#scanned + MAX_SEGMENT);
      } else if (end === -1) {
        return;
      } else {
        yield* this.#line(end);
        this.#scanned = this.#text.indexOf("\n", this.#scanned) + 1;
        if (this.#scanned >= MAX_SEGMENT) yield* this.#cut(this.#scanned);
      }
    }
  }

  /** The last piece, when there is one. */
  *end(): Generator<Segment> {
    if (this.#scanned < this.#text.length) {
      yield* this.#line(this.#text.length);
    }
    if (this.#text.trim()) yield { text: this.#text, cut: false };
    this.#text = "";
  }

  // Looks at the line from `#scanned` to `end`: does a new block start with it?
  *#line(end: number): Generator<Segment> {
    const line = this.#text.slice(this.#scanned, end);
    const mark = /^ {0,8}(`{3,}|~{3,})/.exec(line)?.[1];
    if (this.#fence !== undefined) {
      const closes = mark?.startsWith(this.#fence) && line.trim() === mark;
      if (closes) this.#fence = undefined;
      return;
    }
    if (line.trim() === "") {
      this.#gap ??= this.#scanned;
      return;
    }
    if (this.#gap !== undefined && !this.#continues(line)) {
      const text = this.#text.slice(0, this.#gap);
      this.#text = this.#text.slice(this.#scanned);
      this.#scanned = 0;
      if (text.trim()) yield { text, cut: false };
    }
    this.#gap = undefined;
    this.#fence = mark;
  }

  // An indented line or another item belongs to the list above.
  #continues(line: string): boolean {
    const item = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/;
    return /^\s/.test(line) || item.test(line) && item.test(this.#text);
  }

  // A block of code that is cut is closed, and opened again in the next piece.
  *#cut(at: number): Generator<Segment> {
    if (/[\ud800-\udbff]/.test(this.#text[at - 1] ?? "")) at--;
    const fence = this.#fence;
    const text = this.#text.slice(0, at);
    const rest = this.#text.slice(at);
    yield { text: fence ? `${text.trimEnd()}\n${fence}` : text, cut: true };
    this.#text = fence ? `${fence}\n${rest}` : rest;
    this.#scanned = fence ? fence.length + 1 : 0;
    this.#gap = undefined;
  }
}
