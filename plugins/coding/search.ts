import { boolean, object, optional, string } from "zod/mini";
import type { Tool, ToolContext } from "../../core/tool.ts";
import { defineTool } from "../../core/tool.ts";
import { Finder, SlowPattern } from "./finder.ts";
import type { Hit } from "./finder.ts";
import { globFilter, Ignored } from "./ignored.ts";
import { printable } from "./list.ts";
import { assertRegular } from "./open.ts";
import type { Place } from "./place.ts";
import { missing, readAccess, short } from "./place.ts";
import type { Planned } from "./planned.ts";
import { walk } from "./walk.ts";

const MAX_HITS = 200;
const MAX_OUTPUT = 32 * 1024;
const MAX_FILE = 16 * 1024 * 1024;
const MAX_SLOW = 3; // files that may time out before the search gives up
const AT_ONCE = 32;

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
      const finder = new Finder(expression);
      for await (const batch of batches(place, glob, context)) {
        context.signal.throwIfAborted();
        const texts = await Promise.all(batch.map(load));
        for (const [i, text] of texts.entries()) {
          if (!report.take(finder, batch[i] ?? "", text)) {
            return { content: report.content() };
          }
        }
        // A timer, not a promise: cancelling and screens get their turn.
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
      return { content: report.content() };
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

async function* batches(
  place: Place,
  glob: string | undefined,
  context: ToolContext,
): AsyncGenerator<string[]> {
  const { real } = place;
  if (!await isFolder(place)) return yield [real];
  const top = await Deno.realPath(context.roots[0] ?? context.cwd);
  const wanted = glob === undefined ? undefined : await globFilter(glob, real);
  let batch: string[] = [];
  for await (
    const file of walk(real, await Ignored.at(real, top), context.signal)
  ) {
    if (wanted && !wanted(file)) continue;
    if (batch.push(file) < AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length) yield batch;
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

type Loaded = string | { readonly skipped: "large" | "unreadable" };

async function load(path: string): Promise<Loaded | undefined> {
  try {
    using file = await Deno.open(path);
    const { size, isFile } = await file.stat();
    if (!isFile) return undefined;
    if (size > MAX_FILE) return { skipped: "large" };
    const bytes = new Uint8Array(size);
    let length = 0;
    while (length < size) {
      const got = await file.read(bytes.subarray(length));
      if (got === null) break;
      if (length === 0 && bytes.subarray(0, Math.min(got, 8192)).includes(0)) {
        return undefined;
      }
      length += got;
    }
    return decoder.decode(bytes.subarray(0, length));
  } catch (error) {
    if (missing(error)) return undefined; // gone since it was listed
    if (error instanceof Deno.errors.PermissionDenied) {
      return { skipped: "unreadable" };
    }
    throw error;
  }
}

const decoder = new TextDecoder();

/** Gathers hits and says what was left out. */
class Report {
  readonly notes: string[] = [];
  readonly #place: Place;
  readonly #cwd: string;
  readonly #rows: string[] = [];
  #size = 0;
  #full = false;
  #slow: string[] = [];
  #skipped = { large: 0, unreadable: 0 };

  constructor(place: Place, cwd: string) {
    this.#place = place;
    this.#cwd = cwd;
  }

  /** False when nothing more should be searched. */
  take(finder: Finder, path: string, text: Loaded | undefined): boolean {
    if (text === undefined) return true;
    if (typeof text === "object") {
      this.#skipped[text.skipped]++;
      return true;
    }
    const name = printable(short(path, this.#cwd));
    try {
      return this.#add(name, finder.find(text, MAX_HITS + 1));
    } catch (error) {
      if (!(error instanceof SlowPattern)) throw error;
      return this.#slow.push(name) < MAX_SLOW;
    }
  }

  content(): string {
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

  #add(name: string, hits: readonly Hit[]): boolean {
    for (const { line, text } of hits) {
      const row = `${name}:${line}: ${text}`;
      this.#size += row.length + 1;
      this.#full = this.#rows.length >= MAX_HITS || this.#size > MAX_OUTPUT;
      if (this.#full) return false;
      this.#rows.push(row);
    }
    return true;
  }
}
