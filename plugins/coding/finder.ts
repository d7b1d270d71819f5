import { createContext, Script } from "node:vm";

/** A line that matched: 1-based number, its text, and where the match starts in it. */
export interface Hit {
  readonly line: number;
  readonly text: string;
  readonly at: number;
}

interface Globals {
  readonly expression: RegExp;
  readonly text: string;
  readonly room: number;
}

const SLICE_MS = 250;
const WIDTH = 300;

/** Thrown when an expression takes too long on one file. */
export class SlowPattern extends Error {
  override readonly name = "SlowPattern";
}

// JavaScript cannot interrupt a regular expression; a script with a timeout
// can be. This one walks the lines of `text`.
const SOURCE = `
(() => {
  const hits = [];
  let from = 0, line = 0;
  while (from <= text.length && hits.length < room) {
    let end = text.indexOf("\\n", from);
    if (end < 0) end = text.length;
    line++;
    const stop = end > from && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
    if (end < text.length || end > from) {
      const found = expression.exec(text.slice(from, stop));
      if (found) hits.push([line, from, stop, found.index]);
    }
    from = end + 1;
  }
  return hits;
})()`;

/** Finds lines by one regular expression, for at most `SLICE_MS` at a time. */
export class Finder {
  readonly #script = new Script(SOURCE);
  readonly #globals: Globals;
  readonly #quick: string | undefined; // must be in a file that matches

  constructor(expression: RegExp) {
    this.#globals = createContext(
      { expression, text: "", room: 0 } satisfies Globals,
    ) as Globals;
    const plain = !expression.ignoreCase &&
      /^[\w /:;,"'<>=@!#%&~`-]+$/.test(expression.source);
    this.#quick = plain ? expression.source : undefined;
  }

  /** The first `room` lines of `text` that match. */
  find(text: string, room: number): Hit[] {
    if (this.#quick !== undefined && !text.includes(this.#quick)) return [];
    Object.assign(this.#globals, { text, room });
    let found: [number, number, number, number][];
    try {
      found = this.#script.runInContext(this.#globals, { timeout: SLICE_MS });
    } catch (error) {
      throw new SlowPattern("The pattern is too slow", { cause: error });
    }
    return [...found].map(([line, from, stop, at]) => ({
      line,
      at,
      text: excerpt(text.slice(from, stop), at),
    }));
  }
}

function excerpt(line: string, at: number): string {
  if (line.length <= WIDTH) return line;
  const from = Math.max(0, Math.min(at - 100, line.length - WIDTH));
  const part = line.slice(from, from + WIDTH).toWellFormed();
  return (from > 0 ? "…" : "") + part +
    (from + WIDTH < line.length ? "…" : "");
}
