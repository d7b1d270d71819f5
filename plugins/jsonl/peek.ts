import { tryParse } from "../../core/json.ts";
import { type Light, lighten } from "../../core/light.ts";
import { readFew } from "../files/bytes.ts";
import { unreadable } from "../files/errors.ts";
import { fromSummary, headerProblem } from "./lines.ts";
import { BadLine, Reader } from "./reader.ts";

/** Past so many bytes since the last summary line comes another one. */
export const SUMMARY_EVERY = 4096;

const WINDOW = 2 * SUMMARY_EVERY;
const HEAD = 1024;

/** What the two ends of a file tell. */
export interface Peeked {
  readonly light: Light;
  /** Bytes since the last summary line. */
  readonly unsummed: number;
}

/**
 * Reads a file's header and its last lines; "unclear" when they do not tell:
 * cut off, damaged, changed by hand. Throws UnreadableError.
 */
export function peek(
  { file, size }: { readonly file: number; readonly size: number },
  path: string,
  id: string,
): Peeked | "unclear" {
  const from = Math.max(0, size - WINDOW);
  const text = decode(readFew(file, from, size));
  const head = from === 0 ? text : decode(readFew(file, 0, HEAD));
  const [header = ""] = head.split("\n", 1);
  const value = tryParse(header);
  if (value === undefined) return "unclear";
  const problem = headerProblem(value, id);
  if (problem) throw unreadable(path, problem);
  return text.endsWith("\n") ? lastLines(text, from === 0, id) : "unclear";
}

// A window may begin inside a character; what matters stands behind a line end.
const decoder = new TextDecoder();

function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

function lastLines(
  text: string,
  whole: boolean,
  id: string,
): Peeked | "unclear" {
  const start = text.lastIndexOf(SUMMARY) + 1;
  if (start === 0 && !whole) return "unclear";
  const lines = text.slice(start).split("\n").slice(0, -1);
  const light = start === 0 ? undefined : fromSummary(lines[0] ?? "");
  if (start > 0 && !light) return "unclear";
  const more = start === 0 ? lines : lines.slice(1);
  const now = added(more, id, light);
  return now ? { light: now, unsummed: text.length - start } : "unclear";
}

const SUMMARY = `\n{"type":"summary",`;

// Checking each event would take as long as all else; who reads the session does.
function added(
  lines: readonly string[],
  id: string,
  before: Light | undefined,
): Light | undefined {
  const reader = new Reader(id, before?.seq, () => undefined);
  try {
    for (const line of lines) reader.add(line);
    const whole = reader.end("") === 0 && (before ?? reader.events[0]);
    return whole ? lighten(reader.events, before) : undefined;
  } catch (error) {
    if (error instanceof BadLine || error instanceof TypeError) {
      return undefined; // the whole file says what it is
    }
    throw error;
  }
}
