/** How a replacement went; `lines` are the 1-based lines of the matches. */
export type Replaced =
  | { readonly ok: true; readonly text: string; readonly lines: number[] }
  | { readonly ok: false; readonly lines: number[] };

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
  const starts = positions(plain, wanted, all ? wanted.length : 1);
  const lines = lineNumbers(plain, starts);
  if (starts.length === 0 || (starts.length > 1 && !all)) {
    return { ok: false, lines };
  }
  const original = originals(text);
  let done = "";
  let at = 0;
  for (const start of starts) {
    const from = original(start);
    const to = original(start + wanted.length);
    const end = endingNear(text, from, to);
    done += text.slice(at, from) + unify(fresh).replaceAll("\n", end);
    at = to;
  }
  return { ok: true, text: done + text.slice(at), lines };
}

function unify(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function positions(text: string, wanted: string, step: number): number[] {
  const found: number[] = [];
  let at = text.indexOf(wanted);
  while (at >= 0 && found.length < 100_000) {
    found.push(at);
    at = text.indexOf(wanted, at + step);
  }
  return found;
}

function lineNumbers(text: string, starts: readonly number[]): number[] {
  let line = 1;
  let at = 0;
  return starts.map((start) => {
    let end = text.indexOf("\n", at);
    while (end >= 0 && end < start) {
      line++;
      at = end + 1;
      end = text.indexOf("\n", at);
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

// The line ending of a match: its own first one, else the next one after it,
// else the last one before it.
function endingNear(text: string, from: number, to: number): string {
  let at = text.indexOf("\n", from);
  // A match that begins between lines owns the ending before it, if that is all there is.
  if (at < 0 || at >= to) at = text.indexOf("\n", to);
  if (at < 0) at = text.lastIndexOf("\n", from);
  return at > 0 && text[at - 1] === "\r" ? "\r\n" : "\n";
}
