import { read, readSync } from "node:fs";
import { promisify } from "node:util";

const readLater = promisify(read) as unknown as (
  file: number,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number,
) => Promise<{ bytesRead: number }>;

/** The bytes of an open file from `from` to `to`, or as many as there are. */
export async function readBytes(
  file: number,
  from: number,
  to: number,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(to - from);
  let done = 0;
  while (done < bytes.length) {
    const length = Math.min(bytes.length - done, CHUNK_BYTES);
    const { bytesRead } = await readLater(
      file,
      bytes,
      done,
      length,
      from + done,
    );
    if (bytesRead === 0) break; // it shrank meanwhile: what is there will tell
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

const CHUNK_BYTES = 4 * 1024 ** 2;

/** The same for a few bytes, at once. */
export function readFew(file: number, from: number, to: number): Uint8Array {
  const bytes = new Uint8Array(to - from);
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
}

/** Tells whether two pieces hold the same. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Throws when no text can be as long as these bytes. */
export function checkTextLength({ length }: { readonly length: number }): void {
  if (length <= MAX_TEXT) return;
  throw new RangeError(
    `a text in it is too long (${length} bytes, the limit is ${MAX_TEXT})`,
  );
}

const MAX_TEXT = 2 ** 29 - 24; // a string of V8
