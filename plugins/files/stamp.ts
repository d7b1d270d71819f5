import type { Stats } from "node:fs";

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

/** Tells whether two stamps are of the same state. */
export function sameStamp(a: Stamp, b: Stamp): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs;
}
