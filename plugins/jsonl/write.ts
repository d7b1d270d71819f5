import {
  closeSync,
  constants,
  fdatasync,
  fsyncSync,
  ftruncateSync,
  openSync,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";
import { readFew } from "../files/bytes.ts";
import type { OpenFile } from "../files/open_file.ts";
import { type Stamp, stampNow } from "../files/stamp.ts";

const sync = promisify(fdatasync);

/** Adds `text` at `end` and waits for the disk: all of it, or nothing. */
export async function appendText(
  open: OpenFile,
  end: number,
  text: Uint8Array,
): Promise<Stamp> {
  const { file } = open;
  try {
    writeFully(file, text);
    await sync(file);
    return stampNow(open, end + text.length);
  } catch (error) {
    takeBack(file, end);
    throw error;
  }
}

// The first error is the one to tell; what stays is torn, and treated as such.
function takeBack(file: number, end: number): void {
  try {
    ftruncateSync(file, end);
  } catch { /* see above */ }
}

/**
 * Moves what a crash cut off, from `end` on, to the file `aside`, so that the
 * next line begins on a line of its own. Nothing of it is lost at any moment.
 */
export function setTornApart(
  { file, stamp }: OpenFile,
  end: number,
  aside: string,
): void {
  const torn = readFew(file, end, stamp.size);
  const other = openSync(aside, ADD_ASIDE, 0o600);
  try {
    writeFully(other, torn);
    writeFully(other, NEWLINE);
    fsyncSync(other);
  } finally {
    closeSync(other);
  }
  ftruncateSync(file, end);
}

const NEWLINE = new TextEncoder().encode("\n");
const ADD_ASIDE = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND |
  (constants.O_NOFOLLOW ?? 0);

function writeFully(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) {
    done += writeSync(file, bytes, done, bytes.length - done);
  }
}
