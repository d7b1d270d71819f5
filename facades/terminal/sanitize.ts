/**
 * Takes out of a text what would steer a terminal: escape sequences whole,
 * control characters, and the marks that reorder text. Line ends become LF.
 * Chunks may end anywhere; an unclosed sequence ends with its line.
 */
export class Sanitizer {
  #state: State = "text";
  #afterReturn = false;

  /** The safe part of the next chunk. */
  push(chunk: string): string {
    if (this.#state === "text" && !this.#afterReturn && isSafe(chunk)) {
      return chunk;
    }
    let safe = "";
    for (const char of chunk) safe += this.#char(char);
    return safe;
  }

  #char(char: string): string {
    const wasReturn = this.#afterReturn;
    this.#afterReturn = char === "\r";
    if (char === "\n" || char === "\r") {
      this.#state = "text";
      return char === "\n" && wasReturn ? "" : "\n";
    }
    switch (this.#state) {
      case "text":
        return this.#text(char);
      case "escape":
        this.#state = afterEscape(char);
        return "";
      case "sequence":
        if (char === ESC) this.#state = "escape";
        else if (char >= "@" && char <= "~") this.#state = "text";
        else if (char < " " || char > "~") this.#state = "text";
        return "";
      case "string":
        if (char === ESC) this.#state = "string escape";
        else if (char === BEL || char === C1_ST) this.#state = "text";
        return "";
      case "string escape":
        this.#state = char === "\\" ? "text" : afterEscape(char);
        return "";
    }
  }

  #text(char: string): string {
    if (char === ESC) this.#state = "escape";
    else if (char === C1_CSI) this.#state = "sequence";
    else if (C1_STRINGS.includes(char)) this.#state = "string";
    return isSafe(char) ? char : "";
  }
}

/** A whole text, made safe for a terminal. */
export function sanitize(text: string): string {
  return new Sanitizer().push(text);
}

/** A text made safe and put on one line. */
export function oneLine(text: string): string {
  return sanitize(text).replaceAll(/\s*\n\s*|\t/g, " ").trim();
}

/** A text with what a terminal would hide made visible: for what is to be approved. */
export function reveal(text: string): string {
  return [...text].map((char) => isSafe(char) ? char : escaped(char)).join("");
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

type State = "text" | "escape" | "sequence" | "string" | "string escape";

const ESC = "\x1b";
const BEL = "\x07";
const C1_CSI = "\x9b";
const C1_ST = "\x9c";
const C1_STRINGS = "\x90\x98\x9d\x9e\x9f"; // DCS SOS OSC PM APC

// deno-lint-ignore no-control-regex -- finding them is the point
const UNSAFE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

function isSafe(text: string): boolean {
  return !UNSAFE.test(text);
}

function afterEscape(char: string): State {
  if (char === ESC) return "escape";
  if (char === "[") return "sequence";
  if ("]PX^_".includes(char)) return "string";
  return char >= " " && char <= "/" ? "escape" : "text";
}
