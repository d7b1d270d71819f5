import { isMap, isSeq } from "yaml";
import type { Edit } from "./edit.ts";
import { cutFromFlow } from "./flow_edit.ts";
import { endOfLine, pairOf, rangeOf } from "./range.ts";

/** The text without what stands at `path`; undefined: not a case that can be done in place. */
export function cutOut(
  text: string,
  root: unknown,
  [key, ...rest]: Edit["path"],
): string | undefined {
  if (isSeq(root)) {
    const item = root.items[Number(key)];
    if (rest.length > 0) return cutOut(text, item, rest);
    return root.flow
      ? cutFromFlow(text, root, item)
      : cutLines(text, rangeOf(item));
  }
  if (!isMap(root)) return undefined;
  const pair = pairOf(root, key);
  if (rest.length > 0) return cutOut(text, pair?.value, rest);
  if (root.flow) return cutFromFlow(text, root, pair);
  const [start] = rangeOf(pair?.key) ?? [];
  const [, end] = rangeOf(pair?.value) ?? [];
  return start === undefined || end === undefined
    ? undefined
    : cutLines(text, [start, end]);
}

function cutLines(
  text: string,
  range: ReturnType<typeof rangeOf>,
): string | undefined {
  if (!range) return undefined;
  const [start, end] = range;
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const solid = start + text.slice(start, end).trimEnd().length;
  const before = text.slice(0, from);
  const after = text.slice(endOfLine(text, solid) + 1);
  // What stood at the end had an empty line before it.
  return after === "" ? before.replace(/\n+$/, "\n") : before + after;
}
