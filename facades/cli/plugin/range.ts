import { isScalar, type Pair, type YAMLMap } from "yaml";

/** Where a text has something: from its first character to behind its last. */
export type Range = readonly [number, number];

/** Where a node stands; undefined: nowhere, or it is nothing, as after `key:`. */
export function rangeOf(node: unknown): Range | undefined {
  const range = (node as { range?: readonly number[] } | null)?.range;
  const [start, end] = range ?? [];
  return start === undefined || end === undefined || start === end
    ? undefined
    : [start, end];
}

/** The key and the value of a map that `key` names. */
export function pairOf(
  map: YAMLMap,
  key: string | number | undefined,
): Pair | undefined {
  return map.items.find((p) => isScalar(p.key) && p.key.value === key);
}

/** The end of the line on which a node that ends at `from` has its last character. */
export function endOfLine(text: string, from: number): number {
  // A block ends with the line break of its last line.
  const solid = text.slice(0, from).trimEnd().length;
  const end = text.indexOf("\n", solid);
  return end < 0 ? text.length : end;
}
