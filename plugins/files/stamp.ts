import { fstatSync, type Stats } from "node:fs";
import type { OpenFile } from "./open_file.ts";

/** What tells one state of a file from another without reading it. */
export interface Stamp {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
}

/** The stamp of a file. */
export function stampOf({ ino, size, mtimeMs }: Stats): Stamp {
  return { ino, size, mtimeMs };
}

/**
 * The stamp of an open file that should be `size` long by now: by its name
 * where that still is the file's, since node's fstat takes ten times as long.
 */
export function stampNow({ path, file, stamp }: OpenFile, size: number): Stamp {
  const named = look(path);
  const now = named && stampOfName(named);
  return now?.ino === stamp.ino && now.size === size
    ? now
    : stampOf(fstatSync(file));
}

/** The stamp of the file that has a name; undefined where the system does not tell enough. */
export function stampOfName(
  { ino, size, mtime }: Deno.FileInfo,
): Stamp | undefined {
  return ino === null || !mtime
    ? undefined
    : { ino, size, mtimeMs: mtime.getTime() };
}

// Whatever happened to the name, what was added stands in the file.
function look(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch {
    return undefined;
  }
}

/** Tells whether two stamps are of the same state. */
export function sameStamp(a: Stamp, b: Stamp): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs;
}
