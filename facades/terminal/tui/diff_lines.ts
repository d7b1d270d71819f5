import { structuredPatch } from "diff";
import type { FileDiff } from "../../../core/message.ts";
import { oneLine, sanitize } from "../sanitize.ts";
import { clip } from "./clip.ts";
import type { Theme } from "./theme.ts";

/** Lines of change that are shown. */
const MAX_LINES = 40;
/** Longest texts that are compared, in UTF-16 units. */
const MAX_TEXT = 400_000;

/** Changes, coloured, with line numbers and two lines of context. */
export function diffLines(
  diffs: readonly FileDiff[],
  width: number,
  theme: Theme,
): string[] {
  const all = diffs.flatMap((diff) => [
    ...diffs.length > 1 ? [theme.dim(`  ${oneLine(diff.path)}`)] : [],
    ...changes(diff, theme),
  ]);
  const shown = all.slice(0, MAX_LINES);
  const left = all.length - shown.length;
  if (left > 0) shown.push(theme.dim(`     … ${left} more lines of change`));
  return shown.map((line) => clip(line, width));
}

function changes(diff: FileDiff, theme: Theme): string[] {
  const before = diff.oldText ?? "";
  if (before.length + diff.newText.length > MAX_TEXT) {
    return [theme.dim("  the change is too large to show")];
  }
  const patch = structuredPatch("", "", before, diff.newText, "", "", {
    context: 2,
    timeout: 200,
  });
  if (!patch) return [theme.dim("  the change is too large to show")];
  const first = (diff.line ?? 1) - 1;
  return patch.hunks.flatMap((hunk, i) => [
    ...i > 0 ? [theme.dim("     ⋮")] : [],
    ...hunkLines(hunk, first, theme),
  ]);
}

type Hunk = NonNullable<ReturnType<typeof structuredPatch>>["hunks"][number];

function hunkLines(hunk: Hunk, first: number, theme: Theme): string[] {
  let before = hunk.oldStart + first;
  let after = hunk.newStart + first;
  return hunk.lines.flatMap((line) => {
    const text = sanitize(line.slice(1, 500)).replaceAll("\t", "  ");
    switch (line[0]) {
      case "-":
        return [theme.bad(`${number(before++)} - ${text}`)];
      case "+":
        return [theme.good(`${number(after++)} + ${text}`)];
      case "\\": // "No newline at end of file"
        return [];
      default:
        before++;
        return [theme.dim(`${number(after++)}   ${text}`)];
    }
  });
}

function number(n: number): string {
  return String(n).padStart(6);
}
