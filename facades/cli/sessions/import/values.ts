import { isObject, type JsonObject, tryParse } from "../../../../core/json.ts";

/** What JSON may hold where an object is expected. */
export type Fields = JsonObject;

/** The fields of a value; none when it is no object. */
export function fields(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** The items of a value; none when it is no array. */
export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text, or none. */
export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A number of tokens, or none. */
export function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0
    ? value
    : 0;
}

/** The JSON objects of a file. */
export interface JsonFile {
  /** The only one, however it is laid out; undefined when there are more, or none. */
  readonly document: Fields | undefined;
  /** One a line; undefined stands for a line that is no JSON object. */
  readonly lines: readonly (Fields | undefined)[];
}

/** Reads a file of one JSON object, or of one on each line. */
export function readJson(bytes: Uint8Array): JsonFile {
  const texts = linesOf(bytes);
  const first = parseObject(texts.next().value ?? "");
  const document = first ? undefined : parseObject(decoder.decode(bytes));
  if (document) return { document, lines: [document] };
  const lines = [first, ...Array.from(texts, parseObject)];
  return { document: lines.length === 1 ? first : undefined, lines };
}

// One by one: the text of a long file as a whole would take as much memory again.
function* linesOf(bytes: Uint8Array): Generator<string, undefined> {
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(NEWLINE, start);
    const stop = end < 0 ? bytes.length : end;
    const line = decoder.decode(bytes.subarray(start, stop));
    if (line.trim() !== "") yield line;
    start = stop + 1;
  }
}

const NEWLINE = 10;
const decoder = new TextDecoder();

function parseObject(text: string): Fields | undefined {
  const value = tryParse(text);
  return isObject(value) ? value : undefined;
}

/** The usage of a message; undefined when nothing was counted. */
export function usage(input: number, output: number, cached: number) {
  if (input + output === 0) return undefined;
  return { input, output, ...(cached > 0 && { cached }) };
}
