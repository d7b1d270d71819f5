import type { FileDiff } from "../../core/message.ts";

const CONTEXT = 3;
const MAX_EDITS = 2000; // beyond, one region stands for all

/** What differs between two texts of one file, each change with 3 lines around it. */
export async function changes(
  path: string,
  before: string | undefined,
  after: string,
): Promise<FileDiff[]> {
  if (before === undefined) return [{ path, oldText: null, newText: after }];
  if (before === after) return [];
  const { structuredPatch } = await import("diff");
  const patch = structuredPatch(path, path, before, after, "", "", {
    context: CONTEXT,
    maxEditLength: MAX_EDITS,
  });
  if (!patch) return [region(path, before, after)];
  return patch.hunks.map((hunk) => ({
    path,
    oldText: side(hunk.lines, "-"),
    newText: side(hunk.lines, "+"),
    line: Math.max(1, hunk.newStart),
  }));
}

// `\ No newline at end of file` belongs to the line before it.
function side(lines: readonly string[], own: "-" | "+"): string {
  let text = "";
  let took = false;
  for (const line of lines) {
    const [mark] = line;
    if (mark === "\\") {
      if (took) text = text.slice(0, -1);
      continue;
    }
    took = mark === own || mark === " ";
    if (took) text += `${line.slice(1)}\n`;
  }
  return text;
}

function region(path: string, before: string, after: string): FileDiff {
  const a = before.split("\n");
  const b = after.split("\n");
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const from = Math.max(0, head - CONTEXT);
  const keep = Math.max(0, tail - CONTEXT);
  return {
    path,
    oldText: a.slice(from, a.length - keep).join("\n"),
    newText: b.slice(from, b.length - keep).join("\n"),
    line: from + 1,
  };
}
