import { join } from "node:path";
import type { Ignored } from "./ignored.ts";
import { missing } from "./place.ts";

/** What a folder holds, ignored entries taken out: folders first, then by name. */
export interface Listing {
  readonly folders: readonly string[];
  /** Everything else: files, symlinks, sockets. */
  readonly others: readonly Deno.DirEntry[];
  readonly hidden: number;
  readonly ignored: Ignored;
}

const NEVER = new Set([".git", ".mm"]);

/** Reads one folder. One that may not be read is empty. */
export async function listing(
  folder: string,
  outer: Ignored,
): Promise<Listing> {
  const entries = await entriesOf(folder);
  const ignored = await outer.enter(
    folder,
    entries.some((e) => e.name === ".gitignore" || e.name === ".git"),
  );
  const folders: string[] = [];
  const others: Deno.DirEntry[] = [];
  let hidden = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (
      NEVER.has(entry.name) || ignored.test(path, entry.isDirectory)
    ) hidden++;
    else if (entry.isDirectory) folders.push(path);
    else others.push(entry);
  }
  return { folders, others, hidden, ignored };
}

/** Yields the regular files below `folder`, in order. No symlink is followed. */
export async function* walk(
  folder: string,
  ignored: Ignored,
  signal: AbortSignal,
): AsyncGenerator<string> {
  signal.throwIfAborted();
  const here = await listing(folder, ignored);
  for (const entry of here.others) {
    if (entry.isFile) yield join(folder, entry.name);
  }
  for (const inner of here.folders) yield* walk(inner, here.ignored, signal);
}

async function entriesOf(folder: string): Promise<Deno.DirEntry[]> {
  try {
    const entries = await Array.fromAsync(Deno.readDir(folder));
    return entries.sort((a, b) => a.name < b.name ? -1 : 1);
  } catch (error) {
    if (missing(error) || error instanceof Deno.errors.PermissionDenied) {
      return [];
    }
    throw error;
  }
}
