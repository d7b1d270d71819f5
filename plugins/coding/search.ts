import { boolean, object, optional, string } from "zod/mini";
import type { Tool, ToolContext } from "../../core/tool.ts";
import { defineTool } from "../../core/tool.ts";
import type { Finder, Hit } from "./finder.ts";
import { globFilter, Ignored } from "./ignored.ts";
import { printable } from "./list.ts";
import type { Loaded } from "./load.ts";
import { assertRegular } from "./open.ts";
import type { Place } from "./place.ts";
import { holdsKey, missing, readAccess, short } from "./place.ts";
import type { Planned } from "./planned.ts";
import { walk } from "./walk.ts";

const MAX_HITS = 200;
const MAX_OUTPUT = 32 * 1024;
const MAX_SLOW = 3; // files that may time out before the search gives up
const BATCH = 512 * 1024; // characters that are searched at once
const PAUSE_MS = 15; // work between two turns of everything else

/** Finds lines in files. */
export function searchTool(planned: Planned): Tool {
  return defineTool({
    name: "search",
    description:
      "Search the lines of text files by regular expression, without files that .gitignore names. Gives path:line: text. glob, such as *.{ts,tsx} or src/**, chooses files.",
    kind: "search",
    input: object({
      pattern: string(),
      path: optional(string()),
      glob: optional(string()),
      ignoreCase: optional(boolean()),
    }),
    async plan({ pattern, path = "." }, context) {
      const place = await planned.plan(path, context);
      const where = place.shown === "." ? "" : ` in ${place.shown}`;
      return {
        title: `Search ${JSON.stringify(pattern)}${where}`,
        locations: [{ path: place.real }],
        ...readAccess(place),
      };
    },
    async run({ pattern, path = ".", glob, ignoreCase = false }, context) {
      if (pattern === "") throw new TypeError("The pattern is empty");
      const place = await planned.run(path, context);
      const { expression, note } = compile(pattern, ignoreCase);
      const report = new Report(place, context.cwd);
      if (note) report.notes.push(note);
      const { Finder } = await import("./finder.ts");
      const { load } = await import("./load.ts");
      const finder = new Finder(expression);
      let pause = performance.now() + PAUSE_MS;
      for await (const file of files(place, glob, context)) {
        report.take(finder, file, load(file));
        if (report.done) break;
        if (performance.now() < pause) continue;
        // A timer, not a promise: cancelling and screens get their turn.
        await new Promise((resolve) => setTimeout(resolve, 0));
        context.signal.throwIfAborted();
        pause = performance.now() + PAUSE_MS;
      }
      return { content: report.content(finder) };
    },
  });
}

function compile(
  pattern: string,
  ignoreCase: boolean,
): { expression: RegExp; note?: string } {
  const flags = ignoreCase ? "i" : "";
  try {
    return { expression: new RegExp(pattern, flags) };
  } catch (error) {
    const literal = pattern.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    const why = error instanceof Error ? error.message : String(error);
    return {
      expression: new RegExp(literal, flags),
      note: `searched as plain text: ${why}`,
    };
  }
}

async function* files(
  place: Place,
  glob: string | undefined,
  context: ToolContext,
): AsyncGenerator<string> {
  const { real } = place;
  if (!await isFolder(place)) return yield real;
  const top = await Deno.realPath(context.roots[0] ?? context.cwd);
  const wanted = glob === undefined ? undefined : await globFilter(glob, real);
  const ignored = await Ignored.at(real, top);
  for await (const file of walk(real, ignored, context.signal)) {
    if ((!wanted || wanted(file)) && !holdsKey(file)) yield file;
  }
}

async function isFolder(place: Place): Promise<boolean> {
  try {
    if ((await Deno.lstat(place.real)).isDirectory) return true;
  } catch (error) {
    if (!missing(error)) throw error;
  }
  await assertRegular(place);
  return false;
}

/** Gathers hits and says what was left out. */
class Report {
  readonly notes: string[] = [];
  readonly #place: Place;
  readonly #cwd: string;
  readonly #rows: string[] = [];
  #size = 0;
  #full = false;
  #waiting: { readonly path: string; readonly text: string }[] = [];
  #waitingSize = 0;
  #slow: string[] = [];
  #skipped = { large: 0, unreadable: 0 };

  constructor(place: Place, cwd: string) {
    this.#place = place;
    this.#cwd = cwd;
  }

  /** True when nothing more should be searched. */
  get done(): boolean {
    return this.#full || this.#slow.length >= MAX_SLOW;
  }

  take(finder: Finder, path: string, text: Loaded | undefined): void {
    if (typeof text === "object") this.#skipped[text.skipped]++;
    else if (text !== undefined && finder.mayMatch(text)) {
      this.#waiting.push({ path, text });
      this.#waitingSize += text.length;
      if (this.#waitingSize >= BATCH) this.#search(finder);
    }
  }

  content(finder: Finder): string {
    while (!this.done && this.#waiting.length) this.#search(finder);
    const { large, unreadable } = this.#skipped;
    const notes = [...this.notes];
    if (this.#full) notes.push("there are more: narrow the search");
    if (this.#slow.length) {
      notes.push(
        `the pattern is too slow on ${this.#slow.join(", ")}${
          this.#slow.length >= MAX_SLOW ? ": stopped, simplify it" : ""
        }`,
      );
    }
    if (large) notes.push(`${large} files over 16 MiB not searched`);
    if (unreadable) notes.push(`${unreadable} files may not be read`);
    const none = `No match in ${this.#place.shown}`;
    const rows = this.#rows.length ? this.#rows : [none];
    return [...rows, ...notes.map((note) => `(${note})`)].join("\n");
  }

  #search(finder: Finder): void {
    const batch = this.#waiting;
    const found = finder.find(batch.map((one) => one.text), MAX_HITS + 1);
    for (const [i, hits] of found.entries()) {
      const name = printable(short(batch[i]?.path ?? "", this.#cwd));
      if (hits === "slow") this.#slow.push(name);
      else this.#add(name, hits);
      if (this.done) break;
    }
    this.#waiting = batch.slice(found.length);
    this.#waitingSize = this.#waiting.reduce(
      (n, one) => n + one.text.length,
      0,
    );
  }

  #add(name: string, hits: readonly Hit[]): void {
    for (const { line, text } of hits) {
      const row = `${name}:${line}: ${text}`;
      this.#size += row.length + 1;
      this.#full = this.#rows.length >= MAX_HITS || this.#size > MAX_OUTPUT;
      if (this.#full) return;
      this.#rows.push(row);
    }
  }
}
