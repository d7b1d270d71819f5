import { join, sep } from "node:path";
import { isId } from "../../core/id.ts";
import type { Summary } from "../../core/store.ts";
import { errorCode } from "../../core/system_error.ts";
import { readFailure, reasonOf } from "./errors.ts";
import type { Folder } from "./folder.ts";
import { pause } from "./pause.ts";
import { ASIDE } from "./set_aside.ts";

/** Gives the summary in a session's file; undefined when that is gone. What it throws is why it cannot be read. */
export type Look = (
  path: string,
  id: string,
) => Summary | undefined | Promise<Summary | undefined>;

/**
 * The summary of every session in the folder. System calls are made in place,
 * since that is many times faster than handing each to a thread, but never
 * for long.
 */
export async function summaries(
  folder: Folder,
  look: Look,
): Promise<readonly Summary[]> {
  const found: Summary[] = [];
  const start = join(folder.path, sep); // once: join takes as long as some system calls
  let since = performance.now();
  for await (const { name } of Deno.readDir(folder.path)) {
    const path = `${start}${name}`;
    const summary = await summaryOf(folder, { name, path }, look);
    if (summary) found.push(summary);
    if (performance.now() - since < SLICE_MS) continue;
    await pause();
    since = performance.now();
  }
  return found;
}

const SLICE_MS = 8;

async function summaryOf(
  folder: Folder,
  { name, path }: { readonly name: string; readonly path: string },
  look: Look,
): Promise<Summary | undefined> {
  const stem = folder.stem(name);
  if (stem === undefined) return undefined;
  if (ASIDE.test(stem)) return guess(folder, stem, SET_ASIDE);
  if (!isId(stem)) return undefined;
  try {
    return await look(path, stem);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined; // just now
    return guess(folder, stem, reasonOf(readFailure(path, error)));
  }
}

const SET_ASIDE = "it could not be read, and was set aside under this name";

// What the name and the place say is all there is to go by.
function guess(folder: Folder, stem: string, reason: string): Summary {
  const at = stem.replace(
    /^(....)(..)(..)-(..)(..)(..).*$/,
    "$1-$2-$3T$4:$5:$6.000Z",
  );
  return {
    id: stem,
    title: "",
    createdAt: at,
    updatedAt: at,
    cwd: folder.project,
    model: "",
    turns: 0,
    errors: 0,
    usage: { input: 0, output: 0 },
    unreadable: reason,
  };
}
