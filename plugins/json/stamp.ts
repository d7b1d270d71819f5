import type { Stats } from "node:fs";

/** How much of a file is read to know its metadata, where that is enough. */
export const HEAD_BYTES = 4096;

/** What tells one version of a file from another without reading it all. */
export interface Stamp {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  /** The first bytes: they hold `seq` and `updatedAt`. */
  readonly head: Uint8Array;
}

/** The stamp of an open file that begins with `head`. */
export function stampOf(stats: Stats, head: Uint8Array): Stamp {
  const { ino, size, mtimeMs } = stats;
  return { ino, size, mtimeMs, head };
}

/** Tells whether two stamps are of the same version. */
export function sameStamp(a: Stamp, b: Stamp): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs &&
    a.head.length === b.head.length &&
    a.head.every((byte, i) => b.head[i] === byte);
}
