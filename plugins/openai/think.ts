/** A piece of an answer: for the user, or the model's thinking. */
export interface Piece {
  readonly type: "text" | "thought";
  readonly text: string;
}

const OPEN = "<think>";
const CLOSE = "</think>";

/**
 * Tells the thinking that some servers leave in the text, between `<think>`
 * tags at its very start, from the answer. Tags may arrive in pieces.
 */
export class ThinkSplitter {
  #state: "start" | "thinking" | "after" | "text" = "start";
  #held = "";

  /** Takes more text; returns what is certain. */
  add(text: string): Piece[] {
    const pieces: Piece[] = [];
    this.#held += text;
    if (this.#state === "start") this.#start();
    if (this.#state === "thinking") this.#think(pieces);
    if (this.#state === "after") this.#after();
    if (this.#state === "text") this.#take(pieces, "text", this.#held.length);
    return pieces;
  }

  /** What is left when the answer ends. */
  end(): Piece[] {
    const pieces: Piece[] = [];
    const type = this.#state === "thinking" ? "thought" : "text";
    this.#take(pieces, type, this.#held.length);
    return pieces;
  }

  #start(): void {
    const seen = this.#held.trimStart();
    if (seen.startsWith(OPEN)) {
      this.#held = seen.slice(OPEN.length);
      this.#state = "thinking";
    } else if (!OPEN.startsWith(seen)) {
      this.#state = "text";
    }
  }

  #think(pieces: Piece[]): void {
    const end = this.#held.indexOf(CLOSE);
    if (end >= 0) {
      this.#take(pieces, "thought", end);
      this.#held = this.#held.slice(CLOSE.length);
      this.#state = "after";
    } else {
      this.#take(pieces, "thought", this.#held.length - started(this.#held));
    }
  }

  // The blank lines between the thinking and the answer belong to neither.
  #after(): void {
    this.#held = this.#held.trimStart();
    if (this.#held !== "") this.#state = "text";
  }

  #take(pieces: Piece[], type: Piece["type"], length: number): void {
    if (length > 0) pieces.push({ type, text: this.#held.slice(0, length) });
    this.#held = this.#held.slice(length);
  }
}

/** How many characters at the end of `text` may be the start of the closing tag. */
function started(text: string): number {
  for (let n = Math.min(text.length, CLOSE.length - 1); n > 0; n--) {
    if (text.endsWith(CLOSE.slice(0, n))) return n;
  }
  return 0;
}
