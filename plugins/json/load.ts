import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { SessionState } from "../../core/fold.ts";
import { readFailure } from "../files/errors.ts";
import { checkKind, kindOf, openFile } from "./open_file.ts";
import { parse, type Source } from "./parse.ts";
import { isCurrent } from "./is_current.ts";
import { HEAD_BYTES, type Stamp, stampOf } from "./stamp.ts";

/** A session file in memory, and which version of it. */
export interface Loaded {
  readonly state: SessionState;
  readonly stamp: Stamp;
}

/**
 * Reads a session file, or gives back `known` when that is still what is on
 * the disk; undefined when there is no file. Throws UnreadableError.
 */
export async function load(
  source: Source,
  known?: Loaded,
): Promise<Loaded | undefined> {
  if (known && isCurrent(source.path, known.stamp)) return known;
  const file = await openFile(source.path);
  if (!file) return undefined;
  try {
    const stats = await file.stat() as Stats;
    checkKind(source.path, kindOf(stats));
    const head = await readBytes(file, Math.min(stats.size, HEAD_BYTES));
    const stamp = stampOf(stats, head);
    const bytes = await readBytes(file, stats.size);
    return { state: await parse(bytes, source), stamp };
  } catch (error) {
    throw readFailure(source.path, error);
  } finally {
    await file.close();
  }
}

async function readBytes(file: FileHandle, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let done = 0;
  while (done < size) {
    const length = Math.min(size - done, CHUNK_BYTES);
    const { bytesRead } = await file.read(bytes, done, length, done);
    if (bytesRead === 0) break; // it shrank meanwhile: what is there will tell
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

const CHUNK_BYTES = 4 * 1024 ** 2;
