import { sameBytes } from "../files/bytes.ts";
import {
  sameStamp as sameFile,
  type Stamp as FileStamp,
} from "../files/stamp.ts";

/** How much of a file is read to know its metadata, where that is enough. */
export const HEAD_BYTES = 4096;

/** What tells one version of a file, which is always written anew, from another. */
export interface Stamp extends FileStamp {
  /** The first bytes: they hold `seq` and `updatedAt`. */
  readonly head: Uint8Array;
}

/** The stamp of a file that begins with `head`. */
export function stampOf(file: FileStamp, head: Uint8Array): Stamp {
  const { ino, size, mtimeMs } = file;
  return { ino, size, mtimeMs, head };
}

/** Tells whether two stamps are of the same version. */
export function sameStamp(a: Stamp, b: Stamp): boolean {
  return sameFile(a, b) && sameBytes(a.head, b.head);
}
