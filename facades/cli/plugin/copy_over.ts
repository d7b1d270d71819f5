import type { Copied } from "../../../core/copy_session.ts";
import { isId } from "../../../core/id.ts";
import type { Store, Summary } from "../../../core/store.ts";
import { confirm } from "../confirm.ts";
import { EXIT } from "../exit.ts";
import { say } from "../output.ts";
import { copyAll, tellCopied } from "../sessions/copy_all.ts";
import { Stop } from "../stop.ts";
import { UsageError } from "../usage_error.ts";
import { counted } from "../counted.ts";
import { isThere } from "./made_file.ts";
import type { Switched, SwitchOptions } from "./switch_store.ts";

interface Stores {
  readonly source: Store;
  readonly target: Store;
}

/** Copies all that a store lists to the one that takes its place, after asking; says what does not come along. */
export async function copyOver(
  all: readonly Summary[],
  stores: Stores,
  how: SwitchOptions,
): Promise<Switched> {
  const { source, target } = stores;
  const own = all.filter(({ id }) => isId(id));
  const old = new Set(own.filter((summary) => target.expires?.(summary)));
  const ids = own.filter((s) => !old.has(s)).map(({ id }) => id);
  if (ids.length > 0 && !how.yes && !await agreed(ids.length, stores)) {
    say(`Nothing is changed; to leave them in ${source.name}, add --no-copy`);
    return { code: EXIT.cancelled };
  }
  const switched = await copy(ids, stores, how);
  if (switched.code !== EXIT.ok || how.quiet) return switched;
  if (old.size > 0) {
    say(
      `${
        counted(old.size)
      } left in ${source.name}, untouched for longer than ${target.name} keeps any`,
    );
  }
  const aside = all.length - own.length;
  if (aside > 0) {
    say(`${aside} left in ${source.name} that could not be read: set aside`);
  }
  return switched;
}

async function agreed(
  count: number,
  { source: { name: from }, target: { name: to } }: Stores,
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

async function copy(
  ids: readonly string[],
  { source, target }: Stores,
  { quiet }: SwitchOptions,
): Promise<Switched> {
  const isNew = target.file !== undefined && !await isThere(target.file);
  using stop = new Stop();
  const copied = await copyAll(ids, source, target, {
    quiet,
    // What fails once fails again: the disk is full.
    goesOn: (last) => last?.status !== "failed" && !stop.signal.aborted,
  });
  const { items, left } = copied;
  const ok = left.length === 0 && items.length === ids.length;
  if (items.length > 0 && (!quiet || !ok)) {
    tellCopied(copied, source.name, target.name);
  }
  if (ok) return { code: EXIT.ok, copied };
  say(`Still in use: ${source.name}. ${wayOut(left)}`);
  const failed = left.some(({ status }) => status === "failed");
  return {
    code: stop.code ?? EXIT.failed,
    copied,
    ...isNew && failed && { inVain: target.file },
  };
}

function wayOut(left: readonly Copied[]): string {
  if (left.length === 0) return "The same command goes on where it stopped";
  const has = new Set(left.map(({ status }) => status));
  const way = has.has("failed")
    ? "Mend that, and try again"
    : has.has("unreadable")
    ? "mm doctor --repair sets aside what cannot be read"
    : "Copy what is left by mm sessions copy";
  return `${way}; or change the store alone by --no-copy`;
}
