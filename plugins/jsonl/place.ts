import { type Light, lighten } from "../../core/light.ts";
import { readFew } from "../files/bytes.ts";
import type { OpenFile } from "../files/open_file.ts";
import { sameStamp, type Stamp } from "../files/stamp.ts";
import { load, type Source } from "./load.ts";
import { peek, SUMMARY_EVERY } from "./peek.ts";

/** Where the next line of a file goes, and what stands before it. */
export interface Place {
  readonly stamp: Stamp;
  /** The size, unless the end is torn. */
  readonly end: number;
  /** The last line has its line end. */
  readonly ended: boolean;
  readonly light: Light;
  /** Bytes since the last summary line. */
  readonly unsummed: number;
}

/** Where the next line of an open file goes. Throws UnreadableError. */
export async function placeOf(
  open: OpenFile,
  source: Source,
  known?: Place,
): Promise<Place | undefined> {
  const { file, stamp } = open;
  if (known && sameStamp(known.stamp, stamp)) return known;
  const seen = peek({ file, size: stamp.size }, source.path, source.id);
  if (seen !== "unclear") {
    return { stamp, end: stamp.size, ended: true, ...seen };
  }
  const loaded = await load(source);
  return loaded && {
    stamp,
    end: loaded.end,
    ended: readFew(file, loaded.end - 1, loaded.end)[0] === NEWLINE,
    light: lighten([], loaded.state),
    unsummed: SUMMARY_EVERY, // so that the next listing need not read it all
  };
}

const NEWLINE = 10;
