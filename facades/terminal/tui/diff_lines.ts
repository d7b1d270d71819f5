import { structuredPatch } from "diff";
import type { FileDiff } from "../../../core/message.ts";
import { oneLine, reveal } from "../sanitize.ts";
import { clip } from "./clip.ts";
import type { Theme } from "./theme.ts";

/** Lines of change that are shown. */
const MAX_LINES = 40;
/** Longest texts that are compared, in UTF-16 units. */
const MAX_TEXT = 400_000;

/** Changes as they are shown. */
export interface Shown {
  readonly lines: readonly string[];
  /** ` +3 -1`: also the lines that are not shown; empty when that is unknown. */
  readonly size: string;
}

/** Changes, coloured, with line numbers and two lines of context. */
export function showDiffs(
  diffs: readonly FileDiff[],
  width: number,
  theme: Theme,
): Shown {
  const all = diffs.map((diff) => ({ path: diff.path, hunks: hunksOf(diff) }));
  const lines = all.flatMap(({ path, hunks }, i) => [
    ...diffs.length > 1 ? [theme.dim(`  ${oneLine(path)}`)] : [],
    ...changes(hunks, diffs[i]?.line ?? 1, theme),
  ]);
  const shown = lines.slice(0, MAX_LINES);
  const left = lines.length - shown.length;
  if (left > 0) shown.push(theme.dim(`     … ${left} more lines of change`));
  return {
    lines: shown.map((line) => clip(line, width)),
    size: size(all.map(({ hunks }) => hunks)),
  };
}

function size(all: readonly (readonly Hunk[] | undefined)[]): string {
  if (all.includes(undefined)) return "";
  const lines = all.flatMap((hunks) => hunks?.flatMap((h) => h.lines) ?? []);
  const count = (mark: string) => lines.filter((l) => l[0] === mark).length;
  return ` +${count("+")} -${count("-")}`;
}

/** Undefined when it takes too long to find them. */
function hunksOf(diff: FileDiff): readonly Hunk[] | undefined {
  const before = diff.oldText ?? "";
  if (before.length + diff.newText.length > MAX_TEXT) return undefined;
  const options = { context: 2, timeout: 200 };
  const after = diff.newText;
  return structuredPatch("", "", before, after, "", "", options)?.hunks;
}

function changes(
  hunks: readonly Hunk[] | undefined,
  line: number,
  theme: Theme,
): string[] {
  if (!hunks) return [theme.dim("  the change is too large to show")];
  return hunks.flatMap((hunk, i) => [
    ...i > 0 ? [theme.dim("     ⋮")] : [],
    ...hunkLines(hunk, line - 1, theme),
  ]);
}

type Hunk = NonNullable<ReturnType<typeof structuredPatch>>["hunks"][number];

function hunkLines(hunk: Hunk, first: number, theme: Theme): string[] {
  let before = hunk.oldStart + first;
  let after = hunk.newStart + first;
  return hunk.lines.flatMap((line) => {
    const text = reveal(line.slice(1, 500).replace(/\r$/, ""))
      .replaceAll("\t", "  ");
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
