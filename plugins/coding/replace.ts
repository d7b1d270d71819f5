/** How a replacement went; `lines` are the 1-based lines of the matches. */
export type Replaced =
  | { readonly ok: true; readonly text: string; readonly lines: number[] }
  | { readonly ok: false; readonly lines: number[] };

/** Matches that are looked for where one alone is wanted. */
export const MAX_AMBIGUOUS = 100;

/** Matches that are replaced at once: their places are held in memory. */
const MAX_MATCHES = 1_000_000;

/**
 * Replaces `old` by `fresh`: exactly one match, or every one with `all`. Line
 * endings do not count in matching and stay as they are around each match;
 * no other character is touched.
 */
export function replace(
  text: string,
  old: string,
  fresh: string,
  all = false,
): Replaced {
  const plain = unify(text);
  const wanted = unify(old);
  const starts = positions(plain, wanted, all);
  const lines = lineNumbers(plain, starts);
  if (starts.length === 0 || (starts.length > 1 && !all)) {
    return { ok: false, lines };
  }
  const original = originals(text);
  const endingNear = endings(text);
  let done = "";
  let at = 0;
  for (const start of starts) {
    const from = original(start);
    const to = original(start + wanted.length);
    done += text.slice(at, from) +
      unify(fresh).replaceAll("\n", endingNear(from));
    at = to;
  }
  return { ok: true, text: done + text.slice(at), lines };
}

function unify(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function positions(text: string, wanted: string, all: boolean): number[] {
  const step = all ? wanted.length : 1; // matches that overlap are ambiguous, too
  const most = all ? MAX_MATCHES : MAX_AMBIGUOUS;
  const found: number[] = [];
  let at = text.indexOf(wanted);
  while (at >= 0 && found.length < most) {
    found.push(at);
    at = text.indexOf(wanted, at + step);
  }
  if (!all || at < 0) return found;
  throw new RangeError(
    `old occurs more than ${MAX_MATCHES} times: use shell`,
  );
}

// Each of these walks the text once, however many matches stand on one line.

function lineNumbers(text: string, starts: readonly number[]): number[] {
  let line = 1;
  let end = text.indexOf("\n");
  return starts.map((start) => {
    while (end >= 0 && end < start) {
      line++;
      end = text.indexOf("\n", end + 1);
    }
    return line;
  });
}

// Maps positions of the unified text, asked in rising order, to the original.
function originals(text: string): (position: number) => number {
  let dropped = 0;
  let next = text.indexOf("\r\n");
  return (position) => {
    while (next >= 0 && next - dropped < position) {
      dropped++;
      next = text.indexOf("\r\n", next + 2);
    }
    return position + dropped;
  };
}

// The line ending of a match that begins at a position, asked in rising order:
// the next one, its own included, else the last one before it.
function endings(text: string): (from: number) => string {
  let last = -1;
  let next = text.indexOf("\n");
  return (from) => {
    while (next >= 0 && next < from) {
      last = next;
      next = text.indexOf("\n", next + 1);
    }
    const at = next >= 0 ? next : last;
    return at > 0 && text[at - 1] === "\r" ? "\r\n" : "\n";
  };
}
