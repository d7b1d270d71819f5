/** What JSON may hold where an object is expected. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of a value; none when it is no object. */
export function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Fields
    : {};
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

/** The lines of a file of JSON lines; undefined stands for what is no JSON object. */
export function jsonLines(file: string): readonly (Fields | undefined)[] {
  return file.split("\n").filter((line) => line.trim() !== "").map((line) => {
    const value = parseJson(line);
    return isObject(value) ? value : undefined;
  });
}

/** The value of a JSON text; undefined when it is none. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined; // told by who asked
  }
}

/** The usage of a message; undefined when nothing was counted. */
export function usage(input: number, output: number, cached: number) {
  if (input + output === 0) return undefined;
  return { input, output, ...(cached > 0 && { cached }) };
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
