import { ERRORS_START, HEAD_END } from "./format.ts";

/** The parts of a session file in our own layout. */
export interface Parts {
  /** The first line, up to and with `"messages":[`. */
  readonly head: Uint8Array;
  /** Messages, one a line, in blocks of some lines each. */
  readonly blocks: readonly Uint8Array[];
  /** From the `]` that closes the messages to the end. */
  readonly tail: Uint8Array;
}

/** Cuts a file at its line ends; undefined when it is laid out in another way. */
export function split(bytes: Uint8Array): Parts | undefined {
  const end = bytes.indexOf(NEWLINE);
  const head = bytes.subarray(0, Math.max(0, end));
  if (!endsWith(head, HEAD)) return undefined;
  const blocks: Uint8Array[] = [];
  let start = end + 1;
  let first = start; // of this block
  while (!startsWith(bytes, start, ERRORS)) {
    const stop = bytes.indexOf(NEWLINE, start);
    if (stop < 0) return undefined;
    const comma = bytes[stop - 1] === COMMA;
    const last = startsWith(bytes, stop + 1, ERRORS);
    if (comma === last) return undefined; // only the last message has none
    start = stop + 1;
    if (!last && start - first < BLOCK_BYTES) continue;
    blocks.push(bytes.subarray(first, last ? stop : stop - 1));
    first = start;
  }
  return { head, blocks, tail: bytes.subarray(start) };
}

const BLOCK_BYTES = 1024 ** 2;

/** The lines of neighbouring messages, which `,` and a line end part. */
export function splitLines(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  let start = 0;
  for (;;) {
    const stop = bytes.indexOf(NEWLINE, start);
    if (stop < 0) return [...lines, bytes.subarray(start)];
    lines.push(bytes.subarray(start, stop - 1));
    start = stop + 1;
  }
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
  // Most differ at once: asked for every line of the file.
  return bytes[at] === start[0] &&
    start.every((byte, i) => bytes[at + i] === byte);
}
