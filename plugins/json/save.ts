import { MAX_BYTES } from "../files/open_file.ts";
import { replace } from "../files/replace.ts";
import { HEAD_BYTES, type Stamp, stampOf } from "./stamp.ts";

/** Puts a new session file in the place of `path`, whole or not at all; gives its stamp. */
export async function save(
  path: string,
  parts: Iterable<Uint8Array>,
): Promise<Stamp> {
  const head = new Uint8Array(HEAD_BYTES);
  let total = 0;
  const stats = await replace(path, noted());
  return stampOf(stats, head.subarray(0, total));

  function* noted(): Generator<Uint8Array> {
    for (const part of parts) {
      if (total < HEAD_BYTES) {
        head.set(part.subarray(0, HEAD_BYTES - total), total);
      }
      total += part.length;
      if (total > MAX_BYTES) throw new RangeError(TOO_LARGE);
      yield part;
    }
  }
}

const TOO_LARGE =
  "it would be larger than 1 GiB and could not be read again, compact it or begin a new session";
