import type { Hit as StoreHit, Store } from "../../../core/store.ts";
import type { Summary } from "../../../core/store.ts";
import { summaryLine } from "../../../core/summary_line.ts";
import { clean } from "../clean.ts";
import { painter } from "../color.ts";
import { EXIT } from "../exit.ts";
import type { Flags } from "../flags.ts";
import { print, printJson, say } from "../output.ts";
import { UsageError } from "../usage_error.ts";
import type { Match, Snippet } from "./match.ts";
import { openSessions } from "./open_sessions.ts";
import type { JsonOption } from "./program.ts";
import { scan } from "./scan.ts";

/** How much is found. */
export interface SearchOptions extends JsonOption {
  readonly limit?: number | undefined;
}

/** A conversation that was found. */
export interface Found extends Match {
  readonly summary: Summary;
}

/** `mm sessions search`: the conversations that hold every word, best first. */
export async function search(
  words: readonly string[],
  { limit = 10, json }: SearchOptions,
  flags: Flags,
): Promise<number> {
  if (words.join("").trim() === "") {
    throw new UsageError("Cannot search: there is no word to look for");
  }
  await using agent = await openSessions(flags);
  const { items } = await agent.list({ limit: Number.MAX_SAFE_INTEGER });
  const { found, unreadable } = agent.store.search
    ? {
      found: await indexed(agent.store, items, {
        text: words.join(" "),
        limit,
      }),
      unreadable: items.filter((s) => s.unreadable !== undefined).length,
    }
    : await scan(agent.store, items, { words, limit });
  if (json) await printJson(found.map(plain));
  else await print(found.map(shown).join("\n"));
  if (!flags.quiet) {
    if (found.length === 0) say(`Nothing found for "${words.join(" ")}"`);
    if (unreadable > 0) {
      say(`${unreadable} not searched, unreadable: see mm doctor`);
    }
  }
  return EXIT.ok;
}

// The store finds messages; here those of one conversation stand together.
async function indexed(
  store: Store,
  items: readonly Summary[],
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<readonly Found[]> {
  const summaries = new Map(items.map((s) => [s.id, s]));
  const hits = new Map<string, StoreHit[]>();
  const query = { text, limit: limit * MESSAGES };
  for await (const hit of store.search?.(query) ?? []) {
    hits.set(hit.id, [...hits.get(hit.id) ?? [], hit]);
  }
  const found = [...hits].flatMap(([id, all]) => {
    const summary = summaries.get(id);
    const score = Math.max(...all.map((h) => h.score));
    const snippets = all.slice(0, MAX_SNIPPETS).map(snippetOf);
    return summary ? [{ summary, score, snippets }] : []; // removed meanwhile
  });
  return found.sort((a, b) => b.score - a.score).slice(0, limit);
}

/** How many messages are looked at for each conversation asked for. */
const MESSAGES = 20;

const MAX_SNIPPETS = 3;

function snippetOf({ seq, role, snippet, marks }: StoreHit): Snippet {
  return { seq, role, text: snippet, marks };
}

function plain({ summary, score, snippets }: Found) {
  const { id, title, updatedAt } = summary;
  return {
    id,
    title,
    updatedAt,
    score,
    snippets: snippets.map(({ seq, role, text }) => ({ seq, role, text })),
  };
}

function shown({ summary, snippets }: Found): string {
  const paint = painter();
  const lines = snippets.map((snippet) =>
    `  ${paint("dim", `${snippet.role}:`)} ${marked(snippet)}\n`
  );
  return `${paint("dim", summary.id)}  ${
    clean(summaryLine(summary, new Date()))
  }\n${lines.join("")}`;
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
