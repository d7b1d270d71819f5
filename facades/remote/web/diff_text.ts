import { structuredPatch } from "diff";
import type { FileDiff } from "../../../core/message.ts";
import { reveal } from "./text.ts";

/** Longest texts that are compared, in UTF-16 units. */
const MAX_TEXT = 400_000;
/** Longest line that is shown. */
const MAX_LINE = 500;

/** A line of a change. `gap` stands for lines that are left out. */
export interface DiffLine {
  readonly kind: "same" | "added" | "removed" | "gap";
  readonly number: number;
  readonly text: string;
}

/** A change as lines, with two lines of context; undefined when it takes too long to find them. */
export function diffLines(diff: FileDiff): readonly DiffLine[] | undefined {
  const before = diff.oldText ?? "";
  const after = diff.newText;
  if (before.length + after.length > MAX_TEXT) return undefined;
  const options = { context: 2, timeout: 200 };
  const patch = structuredPatch("", "", before, after, "", "", options);
  const first = (diff.line ?? 1) - 1;
  return patch?.hunks.flatMap((hunk, i) => [
    ...i > 0 ? [GAP] : [],
    ...hunkLines(hunk, first),
  ]);
}

const GAP: DiffLine = { kind: "gap", number: 0, text: "⋮" };

type Hunk = NonNullable<ReturnType<typeof structuredPatch>>["hunks"][number];

function hunkLines(hunk: Hunk, first: number): DiffLine[] {
  let before = hunk.oldStart + first;
  let after = hunk.newStart + first;
  return hunk.lines.flatMap((line): DiffLine[] => {
    const text = reveal(line.slice(1, MAX_LINE).replace(/\r$/, ""));
    switch (line[0]) {
      case "-":
        return [{ kind: "removed", number: before++, text }];
      case "+":
        return [{ kind: "added", number: after++, text }];
      case "\\": // "No newline at end of file"
        return [];
      default:
        before++;
        return [{ kind: "same", number: after++, text }];
    }
  });
}
