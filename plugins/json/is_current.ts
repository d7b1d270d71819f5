import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { READ_SAFELY } from "./open_file.ts";
import { HEAD_BYTES, sameStamp, type Stamp, stampOf } from "./stamp.ts";

/**
 * Tells whether the file at `path` is still the one that `stamp` is of. What
 * keeps it from being asked is found, and told, by whoever reads it then.
 */
export function isCurrent(path: string, stamp: Stamp): boolean {
  try {
    if (!Deno.lstatSync(path).isFile) return false;
    const file = openSync(path, READ_SAFELY);
    try {
      const head = new Uint8Array(HEAD_BYTES);
      const size = readSync(file, head, 0, HEAD_BYTES, 0);
      const found = stampOf(fstatSync(file), head.subarray(0, size));
      return sameStamp(found, stamp);
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
