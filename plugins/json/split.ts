import { ERRORS_START, HEAD_END } from "./format.ts";

/** The parts of a session file in our own layout. */
export interface Parts {
  /** The first line, up to and with `"messages":[`. */
  readonly head: Uint8Array;
  /** One message each. */
  readonly lines: readonly Uint8Array[];
  /** From the `]` that closes the messages to the end. */
  readonly tail: Uint8Array;
}

/** Cuts a file at its line ends; undefined when it is laid out in another way. */
export function split(bytes: Uint8Array): Parts | undefined {
  const end = bytes.indexOf(NEWLINE);
  const head = bytes.subarray(0, Math.max(0, end));
  if (!endsWith(head, HEAD)) return undefined;
  const lines: Uint8Array[] = [];
  let start = end + 1;
  while (!startsWith(bytes, start, ERRORS)) {
    const stop = bytes.indexOf(NEWLINE, start);
    if (stop < 0) return undefined;
    const comma = bytes[stop - 1] === COMMA;
    // Only the last message has none.
    if (!comma && !startsWith(bytes, stop + 1, ERRORS)) return undefined;
    if (comma && startsWith(bytes, stop + 1, ERRORS)) return undefined;
    lines.push(bytes.subarray(start, comma ? stop - 1 : stop));
    start = stop + 1;
  }
  return { head, lines, tail: bytes.subarray(start) };
}

const NEWLINE = 10;
const COMMA = 44;
const HEAD = new TextEncoder().encode(HEAD_END);
const ERRORS = new TextEncoder().encode(ERRORS_START);

function endsWith(bytes: Uint8Array, end: Uint8Array): boolean {
  return bytes.length >= end.length &&
    startsWith(bytes, bytes.length - end.length, end);
}

function startsWith(
  bytes: Uint8Array,
  at: number,
  start: Uint8Array,
): boolean {
  return start.every((byte, i) => bytes[at + i] === byte);
}
