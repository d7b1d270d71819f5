import type { Agent } from "../../../core/agent.ts";
import type { Summary } from "../../../core/store.ts";
import { summaryLine } from "../../../core/summary_line.ts";
import { clean } from "../clean.ts";
import { paint } from "../color.ts";
import { confirm } from "../confirm.ts";
import { counted } from "../counted.ts";
import { EXIT } from "../exit.ts";
import type { Flags } from "../flags.ts";
import { named, noSession } from "../named.ts";
import { printJson, say } from "../output.ts";
import { openPlace } from "../open_place.ts";
import { UsageError } from "../usage_error.ts";
import { openSessions } from "./open_sessions.ts";
import type { JsonOption } from "./program.ts";
import { type Copies, findCopies, removeCopies } from "./copies.ts";

/** Whether it is asked first. */
export interface RmOptions extends JsonOption {
  readonly yes?: true | undefined;
}

/** `mm sessions rm`: for good, whatever store has a copy, and all that are named or none. */
export async function rm(
  refs: readonly string[],
  { yes, json }: RmOptions,
  flags: Flags,
): Promise<number> {
  const where = await openPlace(flags, { writes: true });
  await using agent = await openSessions(flags);
  // Every place is looked up before the first removal moves the others.
  const ids = new Set<string>();
  for (const ref of refs) ids.add(await named(agent, ref));
  const found = await summariesOf(agent, ids);
  const copies = await findCopies(where, found.map(({ id }) => id));
  if (!yes && !await agreed(found, copies)) return EXIT.cancelled;
  for (const { id } of found) await agent.remove(id);
  await removeCopies(where, copies);
  if (json) await printJson(found.map(({ id }) => id));
  else if (!flags.quiet) {
    say(`Removed ${counted(found.length)}${copiesIn(copies)}`);
  }
  for (const line of copies.failed) say(paint("red", clean(line)));
  return copies.failed.length > 0 ? EXIT.failed : EXIT.ok;
}

async function summariesOf(
  agent: Agent,
  ids: ReadonlySet<string>,
): Promise<readonly Summary[]> {
  const { items } = await agent.list({ limit: Number.MAX_SAFE_INTEGER });
  const found = items.filter(({ id }) => ids.has(id));
  for (const id of ids) {
    if (found.some((s) => s.id === id)) continue;
    throw noSession(id);
  }
  return found;
}

async function agreed(
  found: readonly Summary[],
  copies: Copies,
): Promise<boolean> {
  if (!Deno.stdin.isTerminal()) {
    throw new UsageError("Cannot remove sessions without asking: add --yes");
  }
  const now = new Date();
  for (const summary of found) {
    say(clean(`${summary.id}  ${summaryLine(summary, now)}`));
  }
  const what = `${counted(found.length)}${copiesIn(copies)}`;
  return await confirm(`Remove ${what} for good?`);
}

// Other stores are named: nobody who copied them thinks of those any more.
function copiesIn({ stores }: Copies): string {
  const each = [...stores].map(([name, { length }]) => `${length} in ${name}`);
  return each.length === 0 ? "" : `, with the copies (${each.join(", ")})`;
}
