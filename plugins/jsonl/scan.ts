import { isUtf8 } from "node:buffer";
import type { SessionEvent } from "../../core/event.ts";
import { checkTextLength } from "../files/bytes.ts";
import { unreadable } from "../files/errors.ts";
import { pause } from "../files/pause.ts";
import { BadLine, type Reader } from "./reader.ts";

/** What the lines of a file say. */
export interface Scanned {
  readonly events: readonly SessionEvent[];
  /** Where the bytes begin that a crash cut off; their number when there are none. */
  readonly end: number;
}

/** Reads all lines of `bytes`, a piece at a time. Throws BadLine and UnreadableError. */
export async function scan(
  bytes: Uint8Array,
  path: string,
  reader: Reader,
): Promise<Scanned> {
  const whole = bytes.lastIndexOf(NEWLINE) + 1; // where the last line end is
  let from = 0;
  while (from < whole) {
    const near = bytes.indexOf(NEWLINE, Math.min(from + PIECE, whole) - 1);
    const piece = bytes.subarray(from, near + 1);
    for (const line of linesOf(piece, path)) reader.add(line);
    from = near + 1;
    if (from < whole) await pause();
  }
  // A character may have been cut in two: no event then, whatever it decodes to.
  const rest = bytes.subarray(whole);
  checkTextLength(rest);
  const torn = reader.end(isUtf8(rest) ? decoder.decode(rest) : "\ufffd");
  return { events: reader.events, end: startOfLast(bytes, torn) };
}

const NEWLINE = 10;
const PIECE = 1024 ** 2;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function linesOf(piece: Uint8Array, path: string): readonly string[] {
  checkTextLength(piece);
  if (!isUtf8(piece)) {
    throw unreadable(path, "it is damaged (not valid UTF-8)");
  }
  return decoder.decode(piece).split("\n").slice(0, -1);
}

function startOfLast(bytes: Uint8Array, lines: number): number {
  if (lines === 0) return bytes.length;
  let end = bytes.length;
  if (bytes[end - 1] === NEWLINE) end--;
  for (let n = 0; n < lines; n++) end = bytes.lastIndexOf(NEWLINE, end - 1);
  return end + 1;
}

/** What to throw for a line that makes the file at `path` unreadable. */
export function badLine(path: string, error: unknown): unknown {
  return error instanceof BadLine
    ? unreadable(path, error.message, error)
    : error;
}
