import { closeSync, readSync } from "node:fs";
import type { SessionState } from "../../core/fold.ts";
import { isObject, tryParse } from "../../core/json.ts";
import { summarize, type Summary } from "../../core/store.ts";
import { unreadable } from "../files/errors.ts";
import { openQuickly } from "../files/open_file.ts";
import { HEAD_END } from "./format.ts";
import { headProblem } from "./head.ts";
import { HEAD_BYTES } from "./stamp.ts";

/**
 * The summary in a file's first bytes; "unclear" when they do not hold it,
 * undefined when there is no file. Throws UnreadableError.
 */
export function peek(
  path: string,
  id: string,
): Summary | undefined | "unclear" {
  const open = openQuickly(path);
  if (!open) return undefined;
  const { file, size } = open;
  try {
    const head = readHead(file);
    if (head === undefined || !isClosed(file, size)) return "unclear";
    return fromHead(head, { path, id, bytes: size });
  } finally {
    closeSync(file);
  }
}

// Long metadata is rare: the second try reads sixteen times as much.
function readHead(file: number): string | undefined {
  for (const bytes of [SHORT, LONG]) {
    const size = readSync(file, bytes, 0, bytes.length, 0);
    const end = bytes.subarray(0, size).indexOf(NEWLINE);
    if (end >= 0) return decoder.decode(bytes.subarray(0, end));
  }
  return undefined;
}

const SHORT = new Uint8Array(HEAD_BYTES);
const LONG = new Uint8Array(16 * HEAD_BYTES);
const NEWLINE = 10;
const decoder = new TextDecoder();

// A file that was cut off is the commonest damage, and shows at its end.
function isClosed(file: number, size: number): boolean {
  readSync(file, END, 0, END.length, Math.max(0, size - END.length));
  return END[0] === BRACE && END[1] === NEWLINE;
}

const END = new Uint8Array(2);
const BRACE = 125;

function fromHead(
  line: string,
  { path, id, bytes }: { path: string; id: string; bytes: number },
): Summary | "unclear" {
  if (!line.endsWith(HEAD_END)) return "unclear";
  const head = tryParse(`${line}]}`);
  if (!isObject(head)) return "unclear";
  const problem = headProblem(head, id);
  if (problem) throw unreadable(path, problem);
  const state = head as unknown as SessionState;
  const errors = Number(head.errorCount ?? 0);
  return { ...summarize(id, { ...state, errors: [] }), errors, bytes };
}
