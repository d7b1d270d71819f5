import type { Card } from "./block.ts";
import { clip, head, tail, wrap } from "./clip.ts";
import { showDiffs } from "./diff_lines.ts";
import type { Style, Theme } from "./theme.ts";

/** Lines of output a card shows. */
const MAX_OUTPUT = 5;
/** Screen lines a card's output may take: its lines may be long. */
const MAX_ROWS = 8;

/** A tool call: its title, then its change or the end of its output. */
export function cardLines(card: Card, width: number, theme: Theme): string[] {
  const changes = card.diffs.length > 0 && !isOff(card)
    ? showDiffs(card.diffs, width, theme)
    : undefined;
  const title = theme.bold(card.title) + theme.dim(changes?.size ?? "");
  return [
    clip(`${mark(card, theme)} ${title}${suffix(card, theme)}`, width),
    ...changes?.lines ?? body(card, width, theme),
  ];
}

function mark(card: Card, theme: Theme): string {
  const { status } = card;
  if (isDenied(card)) return theme.bad("⊘");
  switch (status) {
    case "waiting":
      return theme.dim("○");
    case "running":
      return theme.accent("●");
    case "completed":
      return theme.good("●");
    case "failed":
      return theme.bad("●");
    case "cancelled":
      return theme.dim("◌");
  }
}

function suffix(card: Card, theme: Theme): string {
  if (isDenied(card)) return theme.bad(" denied");
  if (card.status === "failed") return theme.bad(" failed");
  return card.status === "cancelled" ? theme.dim(" cancelled") : "";
}

function body(card: Card, width: number, theme: Theme): string[] {
  if (card.status === "waiting") return [];
  if (isOff(card)) return rows(head(card.output, MAX_OUTPUT), width, theme);
  if (card.status === "completed" && isQuiet(card)) {
    return [theme.dim(clip(`  ${count(card.output)}`, width))];
  }
  return rows(tail(card.output, MAX_OUTPUT), width, theme, true);
}

// A question that was cancelled is no refusal.
function isDenied({ denied, status }: Card): boolean {
  return denied && status !== "cancelled";
}

function isOff({ status }: Card): boolean {
  return status === "failed" || status === "cancelled";
}

// What was read is for the model; the screen tells how much it was.
function isQuiet({ kind }: Card): boolean {
  return kind === "read" || kind === "search";
}

function count(output: string): string {
  const n = output.trim() ? output.trimEnd().split("\n").length : 0;
  return n === 1 ? "1 line" : `${n} lines`;
}

function rows(
  { lines, left }: ReturnType<typeof head>,
  width: number,
  theme: Theme,
  leftFirst = false,
): string[] {
  const dim: Style = theme.dim;
  const shown = lines.flatMap((line) =>
    wrap(line.slice(0, 4 * width), width - 2)
  ).slice(0, MAX_ROWS).map((line) => dim(clip(`  ${line}`, width)));
  if (shown.every((line) => line === dim("  "))) return [];
  const note = left > 0 ? [dim(clip(`  … ${left} more lines`, width))] : [];
  return leftFirst ? [...note, ...shown] : [...shown, ...note];
}
