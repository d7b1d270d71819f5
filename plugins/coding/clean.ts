/** Turns bytes of a terminal program into plain text, piece by piece. */
export class Cleaner {
  readonly #decoder = new TextDecoder();
  #held = "";

  /** The text of `bytes` that is complete so far. */
  add(bytes: Uint8Array): string {
    return this.#clean(this.#decoder.decode(bytes, { stream: true }));
  }

  /** What was still held back. */
  end(): string {
    const rest = this.#clean(this.#decoder.decode());
    return rest + strip(this.#held);
  }

  // An escape sequence, or a CR whose LF may follow, waits for its rest.
  #clean(text: string): string {
    const all = this.#held + text;
    const open = OPEN.exec(all.slice(-MAX_HELD));
    const cut = open ? all.length - open[0].length : all.length;
    this.#held = all.slice(cut);
    return strip(all.slice(0, cut));
  }
}

const MAX_HELD = 4096;

// deno-lint-ignore no-control-regex
const OPEN = /(?:\x1b(?:[ -/]*|\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b]*\x1b?)|\r)$/;

const ESCAPES =
  // deno-lint-ignore no-control-regex
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]|\x9b[0-?]*[ -/]*[@-~]/g;

// deno-lint-ignore no-control-regex
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

function strip(text: string): string {
  return text.replace(ESCAPES, "").replaceAll("\r\n", "\n")
    .replace(CONTROLS, "");
}

/** Keeps what a line shows at last when it was rewritten by carriage returns. */
export function settle(text: string): string {
  if (!text.includes("\r")) return text;
  return text.split("\n").map((line) =>
    line.replace(/\r+$/, "").replace(/^[^]*\r/, "")
  ).join("\n");
}
