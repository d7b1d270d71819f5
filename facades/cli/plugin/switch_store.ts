import { parseUse } from "../../../core/config.ts";
import { same } from "../../../core/same.ts";
import { confirm } from "../confirm.ts";
import { say } from "../output.ts";
import {
  copyAll,
  type CopyResult,
  everyId,
  tellCopied,
} from "../sessions/copy_all.ts";
import { openUse, type StorePlace } from "../sessions/store_of.ts";
import { UsageError } from "../usage_error.ts";

/** How a change of store is made. */
export interface SwitchOptions {
  /** False leaves the conversations where they are. */
  readonly copy: boolean;
  readonly yes: boolean;
  readonly quiet: boolean;
}

/** What became of the conversations; undefined when the user wants no change. */
export interface Switched {
  /** Absent when none was copied. */
  readonly copied?: CopyResult;
  /** False: some could not be copied, so the store must not change. */
  readonly ok: boolean;
}

/** Copies the conversations of the store in force to the one of a changed configuration. */
export async function switchStore(
  before: StorePlace,
  after: StorePlace,
  { copy, yes, quiet }: SwitchOptions,
): Promise<Switched | undefined> {
  const [from, to] = [before, after].map(({ loaded }) =>
    loaded.config.sessions.store
  );
  if (from === undefined || to === undefined || same(from, to)) {
    return { ok: true };
  }
  await using target = await openUse(to, after);
  if (!copy) return { ok: true };
  await using source = await openUse(from, before);
  const ids = await everyId(source);
  if (ids.length === 0) return { ok: true };
  if (!target.supports.durable) {
    say(
      `Nothing is copied: ${target.name} keeps conversations in memory only; those in ${source.name} stay there`,
    );
    return { ok: true };
  }
  if (!yes && !await agreed(ids.length, source.name, target.name)) {
    return undefined;
  }
  const copied = await copyAll(ids, source, target, quiet);
  // What nobody can read stays where it is; all else must have arrived.
  const ok = copied.left.every(({ status }) => status === "unreadable");
  if (!quiet || copied.left.length > 0) {
    tellCopied(copied, source.name, target.name);
  }
  if (!ok) {
    say(
      `Still in use: ${
        parseUse(from).name
      }. Copy what is left by mm sessions copy, or change the store alone by --no-copy`,
    );
  }
  return { copied, ok };
}

async function agreed(
  count: number,
  from: string,
  to: string,
): Promise<boolean> {
  if (!Deno.stdin.isTerminal()) {
    throw new UsageError(
      `Cannot copy ${
        counted(count)
      } from ${from} to ${to} without asking: add --yes, or --no-copy to leave them`,
    );
  }
  return await confirm(
    `Copy ${counted(count)} from ${from} to ${to}? They stay in ${from}, too.`,
  );
}

function counted(n: number): string {
  return n === 1 ? "1 conversation" : `${n} conversations`;
}
