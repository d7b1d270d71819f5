import {
  type Copied,
  copySession,
  isCopied,
} from "../../../core/copy_session.ts";
import type { Store, Summary } from "../../../core/store.ts";
import { clean } from "../clean.ts";
import { say } from "../output.ts";

/** What became of many conversations. */
export interface CopyResult {
  readonly items: readonly Copied[];
  /** Those that are not in the other store now. */
  readonly left: readonly Copied[];
}

/** All that a store lists, the latest last, so that a stopped copy can go on. */
export async function everySummary(
  store: Store,
): Promise<readonly Summary[]> {
  const { items } = await store.list({ limit: Number.MAX_SAFE_INTEGER });
  return items.toReversed();
}

/** The ids of that. */
export async function everyId(store: Store): Promise<readonly string[]> {
  return (await everySummary(store)).map(({ id }) => id);
}

/** How conversations are copied. */
export interface CopyAllOptions {
  /** Without a word of its progress. */
  readonly quiet?: boolean;
  /** Asked before each one, with what became of the last. Default: to the end. */
  readonly goesOn?: (last: Copied | undefined) => boolean;
}

/** Copies conversations one after the other, with its progress on a terminal. */
export async function copyAll(
  ids: readonly string[],
  from: Store,
  to: Store,
  { quiet = false, goesOn = () => true }: CopyAllOptions = {},
): Promise<CopyResult> {
  const items: Copied[] = [];
  using progress = new Progress(ids.length, quiet);
  for (const id of ids) {
    if (!goesOn(items.at(-1))) break;
    progress.show(items.length);
    items.push(await copySession(id, from, to));
  }
  return { items, left: items.filter((item) => !isCopied(item)) };
}

/** Tells, on stderr, what was copied and what was not and why. */
export function tellCopied(
  { items, left }: CopyResult,
  from: string,
  to: string,
): void {
  const counts = Object.entries(Object.groupBy(items, (i) => i.status))
    .map(([status, all]) =>
      `${all.length} ${WORDS[status as Copied["status"]]}`
    );
  say(
    counts.length === 0
      ? `No conversation in ${from}: nothing to copy`
      : `From ${from} to ${to}: ${counts.join(", ")}`,
  );
  // Where copying ended is the last, and matters most.
  for (const { id, reason } of left.toReversed().slice(0, MAX_REASONS)) {
    say(clean(`  ${id}: ${reason}`));
  }
  const more = left.length - MAX_REASONS;
  if (more > 0) say(`  … and ${more} more (--json tells all)`);
}

const MAX_REASONS = 20;

const WORDS: Readonly<Record<Copied["status"], string>> = {
  copied: "copied",
  updated: "brought up to date",
  same: "there already",
  newer: "gone on there already",
  different: "different, left alone",
  unreadable: "unreadable",
  failed: "failed",
};

class Progress implements Disposable {
  readonly #total: number;
  readonly #shown: boolean;

  constructor(total: number, quiet: boolean) {
    this.#total = total;
    this.#shown = !quiet && total > 1 && Deno.stderr.isTerminal();
  }

  show(done: number): void {
    this.#write(`\rCopying ${done + 1} of ${this.#total}`);
  }

  [Symbol.dispose](): void {
    this.#write("\r\x1b[K");
  }

  #write(text: string): void {
    if (this.#shown) Deno.stderr.writeSync(new TextEncoder().encode(text));
  }
}
