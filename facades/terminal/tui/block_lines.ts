import type { Block } from "./block.ts";
import { cardLines } from "./card_lines.ts";
import { clip, head, tail, wrap } from "./clip.ts";
import { markdownLines } from "./markdown.ts";
import type { Theme } from "./theme.ts";

/** Lines of a question that are shown; a paste may be long. */
const MAX_QUESTION = 30;
/** Lines of a thought that are shown. */
const MAX_THOUGHT = 6;

/** What a block looks like at `width` columns; no line is wider. */
export function blockLines(
  block: Block,
  width: number,
  theme: Theme,
): string[] {
  switch (block.type) {
    case "user":
      return question(block.text, width, theme);
    case "answer":
      return markdownLines(block.text, width, theme);
    case "thought":
      return thought(block.text, width, theme);
    case "tool":
      return cardLines(block, width, theme);
    case "said":
      return markdownLines(block.text, width, theme);
    case "error":
      return wrap(block.text, width).map(theme.bad);
    case "note":
      return wrap(block.text, width)
        .map(block.warning ? theme.warn : theme.dim);
    case "summary":
      return [
        theme.dim(clip("── Summary of earlier turns ──", width)),
        ...markdownLines(block.text, width, theme),
      ];
  }
}

function question(text: string, width: number, theme: Theme): string[] {
  const { lines, left } = head(text, MAX_QUESTION);
  const shown = wrap(lines.join("\n"), width - 2).slice(0, 3 * MAX_QUESTION);
  return [
    ...shown.map((line, i) =>
      clip(`${i === 0 ? theme.accent("›") : " "} ${theme.bold(line)}`, width)
    ),
    ...more(left, width, theme),
  ];
}

function thought(text: string, width: number, theme: Theme): string[] {
  const { lines, left } = tail(text.trim(), MAX_THOUGHT);
  const shown = lines.flatMap((line) => wrap(line, width - 2));
  const hidden = left + Math.max(0, shown.length - MAX_THOUGHT);
  return [
    ...hidden > 0 ? [theme.dim("  …")] : [],
    ...shown.slice(-MAX_THOUGHT)
      .map((line) => clip(`  ${theme.dim(theme.italic(line))}`, width)),
  ];
}

function more(left: number, width: number, theme: Theme): string[] {
  if (left === 0) return [];
  return [theme.dim(clip(`  … ${left} more lines`, width))];
}
