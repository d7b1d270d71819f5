import { type Document, parseDocument } from "yaml";
import { ConfigError } from "../../../core/error.ts";
import { same } from "../../../core/same.ts";
import { withoutAliases } from "./aliases.ts";
import { cutOut } from "./cut.ts";
import { putIn } from "./splice.ts";
import { written } from "./written.ts";

/** One change to agent.yaml: the key at `path` gets a value, or goes. */
export interface Edit {
  readonly path: readonly (string | number)[];
  /** Undefined removes the key. */
  readonly value: unknown;
}

/**
 * Changes a YAML text and leaves all else in it, comments and spacing, as it
 * was. Where that cannot be done in place, the whole is written anew with its comments.
 */
export function editYaml(text: string, edits: readonly Edit[]): string {
  if (text.startsWith(BOM)) return BOM + editYaml(text.slice(1), edits);
  // Lines end as they did, where all end alike.
  const lines = text.replaceAll("\r\n", "\n");
  if (lines === text || /(?<!\r)\n|\r(?!\n)/.test(text)) {
    return edits.reduce(edit, text);
  }
  return edits.reduce(edit, lines).replaceAll("\n", "\r\n");
}

const BOM = "\ufeff";

function edit(text: string, change: Edit): string {
  const { path, value } = change;
  const wanted = changed(parseDocument(text).toJS(), path, value);
  const ways = [
    () => inPlace(text, change),
    () => inPlace(withoutAliases(text, path), change),
    () => writtenAnew(text, change),
  ];
  for (const way of ways) {
    const found = way();
    if (found !== undefined && means(found, wanted)) return found;
  }
  throw new ConfigError(
    `Cannot change agent.yaml: ${
      path.join(".")
    } stands in a form that only you can change (an alias, a tag, several documents); ${
      value === undefined ? "take it out" : `make it ${written(value)}`
    } by hand`,
  );
}

function inPlace(text: string, { path, value }: Edit): string | undefined {
  const { contents } = parseDocument(text);
  return value === undefined
    ? cutOut(text, contents, path)
    : putIn(text, contents, path, value);
}

// The whole, with its comments; undefined where YAML has no way.
function writtenAnew(text: string, { path, value }: Edit): string | undefined {
  const document = parseDocument(text);
  try {
    if (value === undefined) document.deleteIn(path);
    else putNode(document, path, value);
    return document.toString({ lineWidth: 0 });
  } catch {
    return undefined; // the caller says what to do
  }
}

function putNode(document: Document, path: Edit["path"], value: unknown): void {
  for (const [depth, next] of path.slice(1).entries()) {
    const parent = path.slice(0, depth + 1);
    const there = document.getIn(parent);
    if (there !== null && document.hasIn(parent)) continue;
    const empty = typeof next === "number" ? [] : {};
    document.setIn(parent, document.createNode(empty));
  }
  document.setIn(path, document.createNode(value, { flow: isObject(value) }));
}

// What the text is to mean: this one place, and nothing beside it.
function changed(
  from: unknown,
  [key, ...rest]: Edit["path"],
  value: unknown,
): unknown {
  if (key === undefined) return value;
  if (typeof key === "number") {
    const items = Array.isArray(from) ? [...from] : [];
    const item = changed(items[key], rest, value);
    items.splice(key, 1, ...item === undefined ? [] : [item]);
    return items;
  }
  return {
    ...from as object,
    [key]: changed(from?.[key as never], rest, value),
  };
}

function means(text: string, value: unknown): boolean {
  const document = parseDocument(text);
  if (document.errors.length > 0) return false;
  try {
    // With the last key gone, there is nothing at all.
    return same(document.toJS() ?? {}, value ?? {});
  } catch {
    return false; // what an alias stands for is gone
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
