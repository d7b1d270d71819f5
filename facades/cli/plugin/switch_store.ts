import { parseUse, type Use } from "../../../core/config.ts";
import { ConfigError, errorLine, UserError } from "../../../core/error.ts";
import { same } from "../../../core/same.ts";
import type { Store, Summary } from "../../../core/store.ts";
import { clean } from "../clean.ts";
import { confirm } from "../confirm.ts";
import { EXIT } from "../exit.ts";
import { say } from "../output.ts";
import { type CopyResult, everySummary } from "../sessions/copy_all.ts";
import { openUse, type StorePlace } from "../sessions/store_of.ts";
import { UsageError } from "../usage_error.ts";
import { copyOver } from "./copy_over.ts";
import { counted } from "../counted.ts";
import { removeMade } from "./made_file.ts";

/** How a change of store is made. */
export interface SwitchOptions {
  /** False leaves the conversations where they are. */
  readonly copy: boolean;
  readonly yes: boolean;
  readonly quiet: boolean;
  /** What `mm sessions copy --from` takes for the store in force, as a shell reads it. */
  readonly from: string;
}

/** What became of the conversations. */
export interface Switched {
  /** The exit code; with any but 0 the store must not change. */
  readonly code: number;
  /** Absent when none was copied. */
  readonly copied?: CopyResult;
  /** A file that was made for the copies, and is of no use without the rest. */
  readonly inVain?: string | undefined;
}

/** Copies the conversations of the store in force to the one of a changed configuration. */
export async function switchStore(
  before: StorePlace,
  after: StorePlace,
  how: SwitchOptions,
): Promise<Switched> {
  const switched = await move(before, after, how);
  if (switched.inVain !== undefined) {
    await removeMade(switched.inVain); // now that it is closed
    say("What was copied so far is removed: it took room and is of no use");
  }
  if (switched.code === EXIT.ok && !how.quiet) await tellWarnings(after);
  return switched;
}

// What the doctor says of it: nobody should hear that at every start.
async function tellWarnings(after: StorePlace): Promise<void> {
  await using store = await openUse(after.loaded.config.sessions.store, after);
  for await (const { status, detail } of store.check?.(false) ?? []) {
    if (status !== "ok") say(clean(detail));
  }
}

async function move(
  before: StorePlace,
  after: StorePlace,
  how: SwitchOptions,
): Promise<Switched> {
  const { store: from } = before.loaded.config.sessions;
  const { enabled, store: to } = after.loaded.config.sessions;
  await using target = await openUse(to, after);
  if (!enabled && !how.quiet) {
    say("No conversation is kept while sessions.enabled is false");
  }
  const without = (error: unknown) => goWithout(error, from, how);
  await using source = await openUse(from, before).catch(without);
  const all = await (source && everySummary(source))?.catch(without);
  if (!source || !all) return DONE;
  if (parseUse(from).name === parseUse(to).name && await holds(target, all)) {
    return await agreeToExpiry(all, target, how);
  }
  if (how.copy && target.supports.durable) {
    return await copyOver(all, { source, target }, how);
  }
  if (all.length > 0 && !how.quiet) {
    say(clean(stayLine(all.length, { source, target }, how)));
  }
  return DONE;
}

const DONE: Switched = { code: EXIT.ok };

// A store that is gone must not keep the project from using another one.
function goWithout(error: unknown, from: Use, how: SwitchOptions): undefined {
  if (!(error instanceof UserError)) throw error;
  const { name } = parseUse(from);
  if (!how.copy) {
    say(clean(`What ${name} keeps stays there: ${errorLine(error)}`));
    return undefined;
  }
  throw new ConfigError(
    `${
      errorLine(error)
    }; to use another store without what ${name} keeps, add --no-copy`,
    { cause: error },
  );
}

// Other options of a store may leave it where it was.
async function holds(
  target: Store,
  all: readonly Summary[],
): Promise<boolean> {
  return same(await everySummary(target), all);
}

// What the store would remove as soon as it writes is told before that.
async function agreeToExpiry(
  all: readonly Summary[],
  target: Store,
  { yes }: SwitchOptions,
): Promise<Switched> {
  const old = all.filter((summary) => target.expires?.(summary));
  if (old.length === 0) return DONE;
  const what = `${
    counted(old.length)
  } would be removed from ${target.name}, untouched for longer than it keeps any`;
  if (yes) {
    say(what);
    return DONE;
  }
  if (!Deno.stdin.isTerminal()) {
    throw new UsageError(`Cannot go on without asking: ${what}; add --yes`);
  }
  if (await confirm(`${what}. Go on?`)) return DONE;
  say("Nothing is changed");
  return { code: EXIT.cancelled };
}

function stayLine(
  count: number,
  { source, target }: { readonly source: Store; readonly target: Store },
  { from }: SwitchOptions,
): string {
  return target.supports.durable
    ? `${
      counted(count)
    } left in ${source.name}; to bring what is there: mm sessions copy --from ${from}`
    : `Nothing is copied: ${target.name} keeps conversations in memory only; ${
      counted(count)
    } left in ${source.name}`;
}
