import { Markdown } from "@mariozechner/pi-tui";
import { clip, wrap } from "./clip.ts";
import type { Theme } from "./theme.ts";

/** Quotes in quotes, and lists in lists, that begin on one line. */
const MAX_DEPTH = 16;
/** Opening brackets, and runs of emphasis marks, that are parsed. */
const MAX_BRACKETS = 250;
const MAX_MARKS = 800;

/**
 * Markdown as screen lines. What a model that lost its way writes (brackets
 * without end, quotes and lists deeper than the screen is wide) costs seconds
 * or the stack: such a piece is shown as it is.
 */
export function markdownLines(
  text: string,
  width: number,
  theme: Theme,
): string[] {
  if (isTangled(text, width)) return wrap(text.trim(), width);
  try {
    return new Markdown(text.trim(), 0, 0, theme.markdown).render(width)
      .map((line) => clip(line.trimEnd(), width));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return wrap(text.trim(), width);
  }
}

function isTangled(text: string, width: number): boolean {
  const depth = Math.min(MAX_DEPTH, Math.floor(width / 4));
  return more(text, /\[/g, MAX_BRACKETS) || more(text, /[*_]+/g, MAX_MARKS) ||
    text.split("\n").some((line) => more(prefix(line), />|[^\s>]+/g, depth));
}

// What stands before the words of a line: marks of quotes and lists.
function prefix(line: string): string {
  return /^(?:[\s>*+-]|\d{1,9}[.)])*/.exec(line)?.[0] ?? "";
}

function more(text: string, mark: RegExp, max: number): boolean {
  return (text.match(mark)?.length ?? 0) > max;
}
