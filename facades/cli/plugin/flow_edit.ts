import { isMap, isPair, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import { endOfLine, type Range, rangeOf } from "./range.ts";
import { written } from "./written.ts";

/** A `{…}` or `[…]`. */
type FlowCollection = (YAMLMap | YAMLSeq) & { readonly flow?: boolean };

/** The text with one more entry in a collection in braces, where the last one stands; of a map, with its key. */
export function addToFlow(
  text: string,
  collection: FlowCollection,
  { key, value }: { readonly key?: string; readonly value: unknown },
): string | undefined {
  const range = rangeOf(collection);
  if (!range) return undefined;
  const put = key === undefined
    ? written(value, text)
    : `${written(key, text)}: ${written(value, text)}`;
  const last = collection.items.at(-1);
  if (last === undefined) {
    const [start, end] = range;
    const [open, close] = isMap(collection) ? ["{ ", " }"] : ["[", "]"];
    return text.slice(0, start) + open + put + close + text.slice(end);
  }
  const place = entryRange(last);
  return place && addBehind(text, place, put);
}

// On a line of its own where the last one has that, behind the comment on it.
function addBehind(text: string, [from, to]: Range, put: string): string {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const indent = text.slice(start, from);
  if (!/^\s*$/.test(indent)) {
    return `${text.slice(0, to)}, ${put}${text.slice(to)}`;
  }
  const line = text.slice(to, endOfLine(text, to));
  const [rest = "", comma] = /^ *(,?) *(?:#.*)?$/.exec(line) ?? [];
  const [before, after] = [text.slice(0, to), text.slice(to + rest.length)];
  return `${before}${comma ? "" : ","}${rest}\n${indent}${put}${after}`;
}

/** The text without one entry of a collection in braces; undefined where a comment would go with it. */
export function cutFromFlow(
  text: string,
  collection: FlowCollection,
  entry: unknown,
): string | undefined {
  const { items } = collection;
  const at = items.indexOf(entry as never);
  const [before, here, after] = [at - 1, at, at + 1].map((i) =>
    entryRange(items[i])
  );
  if (!here) return undefined;
  const [start, end] = before
    ? [before[1], here[1]]
    : [here[0], after ? after[0] : here[1]];
  if (text.slice(start, end).includes("#")) return undefined;
  return text.slice(0, start) + text.slice(end);
}

function entryRange(entry: unknown): Range | undefined {
  if (!isPair(entry)) return rangeOf(entry);
  const { key, value } = entry as Pair;
  const [start, end] = [
    rangeOf(key)?.[0],
    (rangeOf(value) ?? rangeOf(key))?.[1],
  ];
  return start === undefined || end === undefined ? undefined : [start, end];
}
