import type { Agent } from "../../../core/agent.ts";
import { UnreadableError } from "../../../core/error.ts";
import type { SessionState } from "../../../core/fold.ts";
import type { Summary } from "../../../core/store.ts";
import { summaryLine } from "../../../core/summary_line.ts";
import { clean } from "../clean.ts";
import { painter } from "../color.ts";
import { EXIT } from "../exit.ts";
import type { Flags } from "../flags.ts";
import { print, printJson, say } from "../output.ts";
import { type Match, matches } from "./match.ts";
import { openSessions } from "./open_sessions.ts";
import type { JsonOption } from "./program.ts";

/** How much is found. */
export interface SearchOptions extends JsonOption {
  readonly limit?: number | undefined;
}

interface Hit extends Match {
  readonly summary: Summary;
}

/** `mm sessions search`: the conversations that hold every word, best first. */
export async function search(
  words: readonly string[],
  { limit = 10, json }: SearchOptions,
  flags: Flags,
): Promise<number> {
  await using agent = await openSessions(flags);
  const { items } = await agent.list({ limit: Number.MAX_SAFE_INTEGER });
  const hits: Hit[] = [];
  let unreadable = 0;
  // One at a time: what is held is one conversation and the best so far.
  for (const summary of items) {
    const state = await readable(agent, summary);
    if (!state) unreadable++;
    const match = state && matches(state, words);
    if (!match) continue;
    hits.push({ summary, ...match });
    hits.sort((a, b) => b.score - a.score);
    hits.length = Math.min(hits.length, limit);
  }
  if (json) await printJson(hits.map(plain));
  else await print(hits.map(shownHit).join("\n"));
  if (!flags.quiet) {
    if (hits.length === 0) say(`Nothing found for "${words.join(" ")}"`);
    if (unreadable > 0) {
      say(`${unreadable} not searched, unreadable: see mm doctor`);
    }
  }
  return EXIT.ok;
}

async function readable(
  agent: Agent,
  { id, unreadable }: Summary,
): Promise<SessionState | undefined> {
  if (unreadable !== undefined) return undefined;
  try {
    return await agent.store.read(id);
  } catch (error) {
    if (error instanceof UnreadableError) return undefined;
    throw error;
  }
}

function plain({ summary, score, snippets }: Hit) {
  const { id, title, updatedAt } = summary;
  return { id, title, updatedAt, score, snippets };
}

function shownHit({ summary, snippets }: Hit): string {
  const paint = painter();
  const lines = snippets.map(({ role, text }) =>
    `  ${paint("dim", `${role}:`)} ${clean(text)}\n`
  );
  return `${paint("dim", summary.id)}  ${summaryLine(summary, new Date())}\n${
    lines.join("")
  }`;
}
