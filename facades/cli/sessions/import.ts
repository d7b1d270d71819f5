import {
  type Copied,
  copySession,
  isCopied,
} from "../../../core/copy_session.ts";
import { errorLine, UserError } from "../../../core/error.ts";
import { MemoryStore } from "../../../core/memory_store.ts";
import type { Store } from "../../../core/store.ts";
import { clean } from "../clean.ts";
import { EXIT } from "../exit.ts";
import type { Flags } from "../flags.ts";
import { printJson, say } from "../output.ts";
import { openPlace } from "../open_place.ts";
import { UsageError } from "../usage_error.ts";
import { everyId } from "./copy_all.ts";
import { CopiedFile } from "./import/copied_file.ts";
import { find } from "./import/find.ts";
import type { Conversation } from "./import/read.ts";
import type { JsonOption } from "./program.ts";
import { openUse, type StorePlace } from "./store_of.ts";

/** What became of one file. */
interface Imported {
  readonly file: string;
  readonly tool?: string;
  readonly sessions: readonly Copied[];
  /** Lines that were not understood, and known ones that are no part of a conversation. */
  readonly unknown?: number;
  readonly leftOut?: number;
  /** Times that are none: what had them got those of what stands before. */
  readonly untimed?: number;
  /** Why nothing could be imported. */
  readonly problem?: string;
}

/** `mm sessions import`: conversations of other tools become mm's own. */
export async function importFiles(
  files: readonly string[],
  { json }: JsonOption,
  flags: Flags,
): Promise<number> {
  const where = await openPlace(flags, { writes: true });
  const { sessions } = where.loaded.config;
  if (!sessions.enabled) {
    throw new UsageError(
      "Cannot import: conversations are not kept here (sessions.enabled: false)",
    );
  }
  await using store = await openUse(sessions.store, where);
  const done: Imported[] = [];
  for (const file of files) {
    const imported = await importFile(file, store, where);
    done.push(imported);
    if (!json && (!flags.quiet || !isFine(imported))) tell(imported);
  }
  if (json) await printJson(done);
  return done.every(isFine) ? EXIT.ok : EXIT.failed;
}

async function importFile(
  file: string,
  store: Store,
  where: StorePlace,
): Promise<Imported> {
  const found = await find(file, where);
  if (typeof found === "string") return { file, sessions: [], problem: found };
  const { tool } = found;
  if ("open" in found) {
    return await importStore({ file, tool }, store, found.open);
  }
  const { unknown, leftOut, untimed } = found;
  const sessions = [await put(found, store)];
  return { file, tool, unknown, leftOut, untimed, sessions };
}

async function importStore(
  about: { readonly file: string; readonly tool: string },
  store: Store,
  open: (copy: CopiedFile) => Promise<Store>,
): Promise<Imported> {
  await using copy = await CopiedFile.make();
  // The user knows the file, and not its copy.
  const named = (line: string) =>
    line.replaceAll(
      new RegExp(`${RegExp.escape(copy.dir)}[^"]*`, "g"),
      () => about.file,
    );
  try {
    await using from = await open(copy);
    const sessions: Copied[] = [];
    for (const id of await everyId(from)) {
      const { reason, ...copied } = await copySession(id, from, store);
      sessions.push({ ...copied, ...reason && { reason: named(reason) } });
    }
    return { ...about, sessions };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { file } = about;
    return { file, sessions: [], problem: named(errorLine(error)) };
  }
}

// By the same rules as between stores: skipped, brought up to date, or left alone.
async function put(
  { id, state, continues }: Conversation,
  store: Store,
): Promise<Copied> {
  await using memory = new MemoryStore();
  const { seq, updatedAt: at } = state;
  await memory.append(id, [{ type: "restored", seq, at, state }]);
  return await copySession(id, memory, store, { continues });
}

function isFine({ problem, sessions }: Imported): boolean {
  return problem === undefined && sessions.every(isCopied);
}

function tell({ file, tool, sessions, problem, ...counts }: Imported): void {
  if (problem !== undefined) return say(`Cannot import ${file}: ${problem}`);
  const { unknown = 0, leftOut = 0, untimed = 0 } = counts;
  const notes = [
    ...unknown > 0 ? [`${unknown} not understood`] : [],
    ...leftOut > 0 ? [`${leftOut} left out`] : [],
    ...untimed > 0 ? [`${untimed} with a time that is none`] : [],
  ];
  const some = Object.entries(Object.groupBy(sessions, (s) => s.status))
    .map(([status, all]) => wordsOf(status as Copied["status"], all));
  say(clean(
    `${file} (${tool}): ${some.join(", ") || "no conversation"}${
      notes.length > 0 ? ` (${notes.join(", ")})` : ""
    }`,
  ));
  for (const { id, reason } of sessions.filter((s) => !isCopied(s))) {
    say(clean(`  ${id}: ${reason}`));
  }
}

function wordsOf(status: Copied["status"], all: readonly Copied[]): string {
  const [first] = all;
  const which = all.length === 1 && first ? first.id : `${all.length}`;
  return `${which} ${WORDS[status]}`;
}

const WORDS: Readonly<Record<Copied["status"], string>> = {
  copied: "imported",
  updated: "brought up to date",
  same: "imported before",
  newer: "imported before and gone on since",
  different: "gone on differently, left alone",
  unreadable: "unreadable",
  failed: "failed",
};
