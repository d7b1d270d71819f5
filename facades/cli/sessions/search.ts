import { summaryLine } from "../../../core/summary_line.ts";
import { clean } from "../clean.ts";
import { paint, painter } from "../color.ts";
import { EXIT } from "../exit.ts";
import type { Flags } from "../flags.ts";
import { print, printJson, say } from "../output.ts";
import { openPlace } from "../open_place.ts";
import { UsageError } from "../usage_error.ts";
import type { Snippet } from "../../../core/search/match.ts";
import type { JsonOption } from "./program.ts";
import { searchAll } from "./search_all.ts";
import type { Found } from "../../../core/search/search_store.ts";
import { waysToOpen } from "./ways_to_open.ts";

/** How much is found. */
export interface SearchOptions extends JsonOption {
  readonly limit?: number | undefined;
}

/** `mm sessions search`: the conversations that hold every word, best first, whichever store they are in. */
export async function search(
  words: readonly string[],
  { limit = 10, json }: SearchOptions,
  flags: Flags,
): Promise<number> {
  if (words.join("").trim() === "") {
    throw new UsageError("Cannot search: there is no word to look for");
  }
  const where = await openPlace(flags);
  const all = await searchAll(where, { words, limit: limit + 1 });
  const { left, failed, keeps } = all;
  const found = all.found.slice(0, limit);
  if (json) await printJson(found.map(plain));
  else await print(found.map(shown).join("\n"));
  for (const line of failed) say(paint("red", clean(line)));
  if (!flags.quiet) {
    if (found.length === 0) say(`Nothing found for "${words.join(" ")}"`);
    if (all.found.length > limit) {
      say(`These are the best ${limit}; for more, --limit ${10 * limit}`);
    }
    for (const line of left) say(line);
    for (const line of waysToOpen(found, keeps)) say(line);
  }
  return failed.length > 0 ? EXIT.failed : EXIT.ok;
}

function plain({ summary, score, snippets, store }: Found) {
  const { id, title, updatedAt } = summary;
  return {
    id,
    title,
    updatedAt,
    score,
    ...(store !== undefined && { store }),
    snippets: snippets.map(({ seq, role, text }) => ({ seq, role, text })),
  };
}

function shown({ summary, snippets, store }: Found): string {
  const paint = painter();
  const lines = snippets.map((snippet) =>
    `  ${paint("dim", `${snippet.role}:`)} ${marked(snippet)}\n`
  );
  const where = store === undefined ? "" : paint("dim", ` · in ${store}`);
  return `${paint("dim", summary.id)}  ${
    clean(summaryLine(summary, new Date()))
  }${where}\n${lines.join("")}`;
}

function marked({ text, marks = [] }: Snippet): string {
  const paint = painter();
  let at = 0;
  let line = "";
  for (const [start, end] of marks) {
    line += clean(text.slice(at, start)) +
      paint("bold", text.slice(start, end));
    at = end;
  }
  return line + clean(text.slice(at));
}
