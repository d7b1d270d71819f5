import {
  isCollection,
  isMap,
  isSeq,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { Edit } from "./edit.ts";
import { addToFlow } from "./flow_edit.ts";
import { endOfLine, pairOf, rangeOf } from "./range.ts";
import { written } from "./written.ts";

/** The text with a value at `path`; undefined: not a case that can be done in place. */
export function putIn(
  text: string,
  root: unknown,
  path: Edit["path"],
  value: unknown,
): string | undefined {
  const [key, ...rest] = path;
  if (root === null) return append(text, nested(text, path, value));
  if (isSeq(root)) return putInList(text, root, path, value);
  if (!isMap(root)) return undefined;
  const pair = pairOf(root, key);
  const range = rangeOf(pair?.value);
  if (pair && range) {
    if (rest.length > 0) return putIn(text, pair.value, rest, value);
    return replace(text, pair, value);
  }
  if (pair) return fillIn(text, pair, rest, value);
  if (root.flow) {
    const inner = rest.reduceRight<unknown>(
      (value, key) => typeof key === "number" ? [value] : { [key]: value },
      value,
    );
    return addToFlow(text, root, { key: String(key), value: inner });
  }
  return insert(text, root, nested(text, path, value));
}

// A block begins on a line of its own; what takes its place stands beside the key.
function replace(text: string, pair: Pair, value: unknown): string | undefined {
  const [start, end] = rangeOf(pair.value) ?? [];
  const from = rangeOf(pair.key)?.[1];
  if (start === undefined || end === undefined) return undefined;
  const put = written(value, text);
  const block = isCollection(pair.value) && !pair.value.flow;
  const between = from === undefined ? "" : text.slice(from, start);
  if (!block || !/^\s*:\s*$/.test(between)) {
    return splice(text, [start, end], put);
  }
  return splice(text, [start - between.length, end], `: ${put}`);
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
    return splice(text, [colon, colon], ` ${written(value, text)}`);
  }
  const column = start - (text.lastIndexOf("\n", start - 1) + 1);
  const lines = indented(nested(text, rest, value), column + 2);
  return insertLine(text, endOfLine(text, end), lines);
}

function putInList(
  text: string,
  list: YAMLSeq,
  [index, ...rest]: Edit["path"],
  value: unknown,
): string | undefined {
  const item = list.items[Number(index)];
  if (rest.length > 0) return putIn(text, item, rest, value);
  const range = rangeOf(item);
  if (range) return splice(text, range, written(value, text));
  if (list.flow) return addToFlow(text, list, { value });
  const last = rangeOf(list.items.at(-1));
  if (!last) return undefined;
  const start = text.lastIndexOf("\n", last[0] - 1) + 1;
  const lead = /^\s*- */.exec(text.slice(start))?.[0];
  return lead &&
    insertLine(text, endOfLine(text, last[1]), lead + written(value, text));
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

function nested(
  text: string,
  path: Edit["path"],
  value: unknown,
): string {
  return path.toReversed().reduce<string>(
    (inner, key, depth) =>
      typeof key === "number"
        ? `- ${inner}`
        : depth === 0
        ? `${key}: ${inner}`
        : `${key}:\n${indented(inner, 2)}`,
    written(value, text),
  );
}

function indented(block: string, columns: number): string {
  return block.replaceAll(/^/gm, " ".repeat(columns));
}
