import type { SessionState } from "../../core/fold.ts";
import { readBytes, readFew } from "../files/bytes.ts";
import { readFailure } from "../files/errors.ts";
import { openFile } from "../files/open_file.ts";
import { parse, type Source } from "./parse.ts";
import { HEAD_BYTES, sameStamp, type Stamp, stampOf } from "./stamp.ts";

/** A session file in memory, and which version of it. */
export interface Loaded {
  readonly state: SessionState;
  readonly stamp: Stamp;
  /** It was not read but written, and is what should be there. */
  readonly written?: true;
}

/**
 * Reads a session file, or gives back `known` when that is still what is on
 * the disk; undefined when there is no file. Throws UnreadableError.
 */
export async function load(
  source: Source,
  known?: Loaded,
): Promise<Loaded | undefined> {
  using open = openFile(source.path);
  if (!open) return undefined;
  try {
    const { file } = open;
    const stamp = stampOf(open.stamp, readFew(file, 0, HEAD_BYTES));
    if (known && sameStamp(known.stamp, stamp)) return known;
    const bytes = await readBytes(file, 0, stamp.size);
    return { state: await parse(bytes, source), stamp };
  } catch (error) {
    throw readFailure(source.path, error);
  }
}
