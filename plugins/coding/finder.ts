import { createContext, Script } from "node:vm";

/** A line that matched: 1-based number, its text, and where the match starts in it. */
export interface Hit {
  readonly line: number;
  readonly text: string;
  readonly at: number;
}

interface Globals {
  readonly expression: RegExp;
  readonly texts: readonly string[];
  readonly room: number;
}

const SLICE_MS = 250;
const WIDTH = 300;

// JavaScript cannot interrupt a regular expression; a script with a timeout
// can be. This one walks the lines of `texts`.
const SOURCE = `
texts.map((text) => {
  const hits = [];
  let from = 0, line = 0;
  while (from < text.length && hits.length < room) {
    let end = text.indexOf("\\n", from);
    if (end < 0) end = text.length;
    line++;
    const stop = end > from && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
    const found = expression.exec(text.slice(from, stop));
    if (found) hits.push([line, from, stop, found.index]);
    from = end + 1;
  }
  return hits;
})`;

type Raw = [line: number, from: number, stop: number, at: number];

/** Finds lines by one regular expression, for at most `SLICE_MS` at a time. */
export class Finder {
  readonly #script = new Script(SOURCE);
  readonly #globals: Globals;
  readonly #quick: string | undefined; // must be in a file that matches

  constructor(expression: RegExp) {
    this.#globals = createContext(
      { expression, texts: [], room: 0 } satisfies Globals,
    ) as Globals;
    const plain = !expression.ignoreCase &&
      /^[\w /:;,"'<>=@!#%&~`-]+$/.test(expression.source);
    this.#quick = plain ? expression.source : undefined;
  }

  /** False when no line of `text` can match. */
  mayMatch(text: string): boolean {
    return this.#quick === undefined || text.includes(this.#quick);
  }

  /** The first `room` lines of each text that match; of a text that takes too long, none ("slow"). */
  find(texts: readonly string[], room: number): (Hit[] | "slow")[] {
    const found = this.#run(texts, room);
    if (found) return found.map((raw, i) => hitsOf(raw, texts[i] ?? ""));
    if (texts.length === 1) return ["slow"];
    // Some text of many is slow: each gets a time of its own, up to the first that is.
    const done: (Hit[] | "slow")[] = [];
    for (const text of texts) {
      const [one = "slow"] = this.find([text], room);
      done.push(one);
      if (one === "slow") break;
    }
    return done;
  }

  #run(texts: readonly string[], room: number): Raw[][] | undefined {
    Object.assign(this.#globals, { texts, room });
    try {
      const options = { timeout: SLICE_MS };
      return [...this.#script.runInContext(this.#globals, options)];
    } catch (error) {
      const { code, message } = error as { code?: string; message?: string };
      const late = code === "ERR_SCRIPT_EXECUTION_TIMEOUT" ||
        /timed out/.test(message ?? "");
      if (!late) throw error;
      return undefined;
    }
  }
}

function hitsOf(raw: readonly Raw[], text: string): Hit[] {
  return [...raw].map(([line, from, stop, at]) => ({
    line,
    at,
    text: excerpt(text.slice(from, stop), at),
  }));
}

function excerpt(line: string, at: number): string {
  if (line.length <= WIDTH) return line;
  const from = Math.max(0, Math.min(at - 100, line.length - WIDTH));
  const part = line.slice(from, from + WIDTH).toWellFormed();
  return (from > 0 ? "…" : "") + part +
    (from + WIDTH < line.length ? "…" : "");
}
