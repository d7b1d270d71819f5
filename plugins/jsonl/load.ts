import type { SessionState } from "../../core/fold.ts";
import { foldAll } from "../../core/fold_all.ts";
import { readBytes, readFew, sameBytes } from "../files/bytes.ts";
import { readFailure } from "../files/errors.ts";
import { type OpenFile, openFile } from "../files/open_file.ts";
import { sameStamp, type Stamp } from "../files/stamp.ts";
import { BadLine, Reader } from "./reader.ts";
import { badLine, scan } from "./scan.ts";

/** A session file in memory, and which state of it. */
export interface Loaded {
  readonly stamp: Stamp;
  /** Where the next line goes: the size, unless the end is torn. */
  readonly end: number;
  /** The last bytes before `end`, by which a file that only grew is known. */
  readonly tail: Uint8Array;
  readonly state: SessionState;
}

/** How many bytes must be the same for a file to have only grown. */
const TAIL_BYTES = 512;

/** The file of a session. */
export interface Source {
  readonly path: string;
  readonly id: string;
}

/**
 * Reads a session's file: what was added when `known` is an earlier
 * state of it, else all. Undefined when there is no file. Throws UnreadableError.
 */
export async function load(
  source: Source,
  known?: Loaded,
): Promise<Loaded | undefined> {
  const { path } = source;
  using open = openFile(path);
  if (!open) return undefined;
  if (known && sameStamp(known.stamp, open.stamp)) return known;
  try {
    return await added(open, source, known) ?? await all(open, source);
  } catch (error) {
    throw readFailure(path, badLine(path, error));
  }
}

async function all(
  { file, stamp }: OpenFile,
  { path, id }: Source,
): Promise<Loaded> {
  const bytes = await readBytes(file, 0, stamp.size);
  const { events, end } = await scan(bytes, path, new Reader(id));
  if (events.length === 0) throw new BadLine("it holds no event");
  const tail = bytes.slice(Math.max(0, end - TAIL_BYTES), end);
  return { stamp, end, tail, state: foldAll(events) };
}

// Most often the file has only grown, here or in another process.
async function added(
  { file, stamp }: OpenFile,
  { path, id }: Source,
  known?: Loaded,
): Promise<Loaded | undefined> {
  if (!known || known.stamp.ino !== stamp.ino || known.end >= stamp.size) {
    return undefined;
  }
  const { end, tail } = known;
  if (!sameBytes(readFew(file, end - tail.length, end), tail)) return undefined;
  const { state } = known;
  const bytes = await readBytes(file, end, stamp.size);
  try {
    const more = await scan(bytes, path, new Reader(id, state.seq));
    const last = bytes.slice(Math.max(0, more.end - TAIL_BYTES), more.end);
    return {
      stamp,
      end: end + more.end,
      tail: last,
      state: foldAll(more.events, state),
    };
  } catch (error) {
    if (error instanceof BadLine) return undefined; // the whole file says what it is
    throw error;
  }
}
