import {
  isMap,
  isScalar,
  isSeq,
  type Pair,
  stringify,
  type YAMLMap,
} from "yaml";
import type { Edit } from "./edit.ts";

/** The text with a value at `path`; undefined: not a case that can be done in place. */
export function putIn(
  text: string,
  root: unknown,
  path: Edit["path"],
  value: unknown,
): string | undefined {
  const [key, ...rest] = path;
  if (root === null) return append(text, nested(path, value));
  if (isSeq(root)) return putInList(text, root, path, value);
  if (!isMap(root)) return undefined;
  const pair = pairOf(root, key);
  const range = rangeOf(pair?.value);
  if (pair && range) {
    if (rest.length > 0) return putIn(text, pair.value, rest, value);
    return splice(text, range, flow(value));
  }
  if (pair) return fillIn(text, pair, rest, value);
  if (root.flow) return undefined;
  return insert(text, root, nested(path, value));
}

// After `key:` with nothing but a comment.
function fillIn(
  text: string,
  { key }: Pair,
  rest: Edit["path"],
  value: unknown,
): string | undefined {
  const [start, end] = rangeOf(key) ?? [];
  if (start === undefined || end === undefined) return undefined;
  if (rest.length === 0) {
    const colon = text.indexOf(":", end) + 1;
    return splice(text, [colon, colon], ` ${flow(value)}`);
  }
  const column = start - (text.lastIndexOf("\n", start - 1) + 1);
  const lines = indented(nested(rest, value), column + 2);
  return insertLine(text, endOfLine(text, end), lines);
}

function putInList(
  text: string,
  list: { readonly items: readonly unknown[]; readonly flow?: boolean },
  [index, ...rest]: Edit["path"],
  value: unknown,
): string | undefined {
  if (rest.length > 0) return undefined;
  const range = rangeOf(list.items[Number(index)]);
  if (range) return splice(text, range, flow(value));
  const last = rangeOf(list.items.at(-1));
  if (!last) return undefined;
  if (list.flow) return splice(text, [last[1], last[1]], `, ${flow(value)}`);
  const start = text.lastIndexOf("\n", last[0] - 1) + 1;
  const lead = /^\s*- */.exec(text.slice(start))?.[0];
  return lead && insertLine(text, endOfLine(text, last[1]), lead + flow(value));
}

// Behind the last key, as deep as the first one stands.
function insert(text: string, map: YAMLMap, block: string): string | undefined {
  const [first] = map.items;
  const start = rangeOf(first?.key)?.[0];
  if (start === undefined) return undefined;
  const column = start - (text.lastIndexOf("\n", start - 1) + 1);
  if (column === 0) return append(text, block);
  const last = map.items.at(-1);
  const end = rangeOf(last?.value)?.[1] ?? rangeOf(last?.key)?.[1];
  if (end === undefined) return undefined;
  return insertLine(text, endOfLine(text, end), indented(block, column));
}

function append(text: string, block: string): string {
  if (text.trim() === "") return `${block}\n`;
  return `${text.replace(/\n*$/, "\n")}\n${block}\n`;
}

/** The text without what stands at `path`; undefined as above. */
export function cutOut(
  text: string,
  root: unknown,
  path: Edit["path"],
): string | undefined {
  const [key, ...rest] = path;
  if (isSeq(root) && rest.length === 0 && !root.flow) {
    const range = rangeOf(root.items[Number(key)]);
    return range && cutLines(text, range[0], range[1]);
  }
  if (!isMap(root)) return undefined;
  const pair = pairOf(root, key);
  if (rest.length > 0) return cutOut(text, pair?.value, rest);
  if (root.flow || root.items.length < 2 && path.length < 1) return undefined;
  const start = rangeOf(pair?.key)?.[0];
  const end = rangeOf(pair?.value)?.[1];
  if (start === undefined || end === undefined) return undefined;
  return cutLines(text, start, end);
}

function cutLines(text: string, start: number, end: number): string {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const solid = start + text.slice(start, end).trimEnd().length;
  const before = text.slice(0, from);
  const after = text.slice(endOfLine(text, solid) + 1);
  // What stood at the end had an empty line before it.
  return after === "" ? before.replace(/\n+$/, "\n") : before + after;
}

function splice(
  text: string,
  [start, end]: readonly [number, number],
  put: string,
): string {
  const solid = start + text.slice(start, end).trimEnd().length;
  return text.slice(0, start) + put + text.slice(solid);
}

function insertLine(text: string, at: number, line: string): string {
  return `${text.slice(0, at)}\n${line}${text.slice(at)}`;
}

// A block ends with the line break of its last line.
function endOfLine(text: string, from: number): number {
  const solid = text.slice(0, from).trimEnd().length;
  const end = text.indexOf("\n", solid);
  return end < 0 ? text.length : end;
}

function pairOf(
  map: YAMLMap,
  key: string | number | undefined,
): Pair | undefined {
  return map.items.find((p) => isScalar(p.key) && p.key.value === key);
}

function rangeOf(node: unknown): readonly [number, number] | undefined {
  const range = (node as { range?: readonly number[] } | null)?.range;
  const [start, end] = range ?? [];
  // Nothing at all, as after `key:`, has a place but no length.
  return start === undefined || end === undefined || start === end
    ? undefined
    : [start, end];
}

function nested(path: Edit["path"], value: unknown): string {
  return path.toReversed().reduce<string>(
    (inner, key, depth) =>
      typeof key === "number"
        ? `- ${inner}`
        : depth === 0
        ? `${key}: ${inner}`
        : `${key}:\n${indented(inner, 2)}`,
    flow(value),
  );
}

function indented(block: string, columns: number): string {
  return block.replaceAll(/^/gm, " ".repeat(columns));
}

/** A value as YAML on one line. */
export function flow(value: unknown): string {
  const options = { collectionStyle: "flow", lineWidth: 0 } as const;
  return stringify(value, options).replaceAll(/\n\s*/g, " ").trim();
}
