import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { randomHex } from "../../core/id.ts";
import { readFew } from "../files/bytes.ts";
import type { OpenFile } from "../files/open_file.ts";
import { type Stamp, stampOf } from "../files/stamp.ts";

const sync = promisify(fdatasync);

/** Adds `text` at `end` and waits for the disk: all of it, or nothing. */
export async function appendText(
  { file }: OpenFile,
  end: number,
  text: Uint8Array,
): Promise<Stamp> {
  try {
    writeFully(file, text);
    await sync(file);
    return stampOf(fstatSync(file));
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
  { file, stats }: OpenFile,
  end: number,
  aside: string,
): void {
  const torn = readFew(file, end, stats.size);
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
const NO_LINK = constants.O_NOFOLLOW ?? 0;
const ADD_ASIDE = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND |
  NO_LINK;

/** Makes a new file of `parts`: whole and on the disk, or not at all. */
export function createFile(
  path: string,
  parts: Iterable<Uint8Array>,
): Stamp {
  const folder = dirname(path);
  const name = basename(path, ".jsonl");
  const temp = join(folder, `.${name}.${Deno.pid}.${randomHex(8)}.tmp`);
  try {
    const stats = writeNew(temp, parts);
    renameSync(temp, path);
    return stampOf(stats);
  } catch (error) {
    discard(temp);
    throw error;
  }
}

/** The name of a file that `createFile` had no time to finish. */
export const TEMP = /^\.\d{8}-\d{6}-[0-9a-f]{8}\.\d+\.[0-9a-f]{8}\.tmp$/;

function writeNew(path: string, parts: Iterable<Uint8Array>): Stats {
  const file = openSync(path, WRITE_NEW, 0o600);
  try {
    for (const part of parts) writeFully(file, part);
    fsyncSync(file);
    return fstatSync(file);
  } finally {
    closeSync(file);
  }
}

const WRITE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL |
  NO_LINK;

// The first error is the one to tell; a leftover is swept later.
function discard(path: string): void {
  try {
    unlinkSync(path);
  } catch { /* see above */ }
}

function writeFully(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) {
    done += writeSync(file, bytes, done, bytes.length - done);
  }
}
