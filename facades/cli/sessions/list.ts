import type { Agent } from "../../../core/agent.ts";
import type { Summary } from "../../../core/store.ts";
import { summaryLine } from "../../../core/summary_line.ts";
import { clean } from "../clean.ts";
import { painter } from "../color.ts";
import { EXIT } from "../exit.ts";
import type { Flags } from "../flags.ts";
import { print, printJson, say } from "../output.ts";
import { openSessions } from "./open_sessions.ts";
import type { JsonOption } from "./program.ts";

/** How much is listed. */
export interface ListOptions extends JsonOption {
  readonly limit?: number | undefined;
  readonly all?: true | undefined;
}

/** `mm sessions list`: the newest first, with the place that names each. */
export async function list(
  text: string,
  { limit = 20, all, json }: ListOptions,
  flags: Flags,
): Promise<number> {
  await using agent = await openSessions(flags);
  const { items, next } = await agent.list({
    limit: all ? Number.MAX_SAFE_INTEGER : limit,
    ...(text && { text }),
  });
  if (json) await printJson(items);
  else await print(items.length > 0 ? table(items, !text) : "");
  if (flags.quiet) return EXIT.ok;
  if (items.length === 0) say(await nothing(agent, text));
  if (next !== undefined) {
    say("… more: --limit <n>, --all, or mm sessions list <text>");
  }
  return EXIT.ok;
}

// A place counts in the whole list, so a filtered one shows none.
function table(items: readonly Summary[], numbered: boolean): string {
  const paint = painter();
  const now = new Date();
  const width = String(items.length).length;
  return items.map((summary, i) => {
    const place = numbered ? `${String(i + 1).padStart(width)}  ` : "";
    const line = clean(summaryLine(summary, now));
    return `${place}${paint("dim", summary.id)}  ${
      summary.unreadable === undefined ? line : paint("red", line)
    }\n`;
  }).join("");
}

async function nothing(agent: Agent, text: string): Promise<string> {
  if (!text) return `No conversation yet in ${agent.cwd}`;
  const { items } = await agent.list({ limit: 1 });
  return items.length > 0
    ? `No conversation has "${text}" in its title or id: mm sessions search looks inside`
    : `No conversation yet in ${agent.cwd}`;
}
