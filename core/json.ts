/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Tells objects from the rest; an array is none. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What JSON says; undefined when it is none. */
export function tryParse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined; // no JSON says undefined
  }
}

/** What a stranger's JSON holds at `path`; undefined where there is no such place. */
export function at(
  value: unknown,
  ...path: readonly (string | number)[]
): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== "object" || here === null) return undefined;
    here = Object.hasOwn(here, step)
      ? (here as Record<string | number, unknown>)[step]
      : undefined;
  }
  return here ?? undefined;
}

/** The string at `path`; empty when there is none. */
export function textAt(
  value: unknown,
  ...path: readonly (string | number)[]
): string {
  const found = at(value, ...path);
  return typeof found === "string" ? found : "";
}

/** The finite number at `path`, if any. */
export function numberAt(
  value: unknown,
  ...path: readonly (string | number)[]
): number | undefined {
  const found = at(value, ...path);
  return typeof found === "number" && Number.isFinite(found)
    ? found
    : undefined;
}

/** The array at `path`; empty when there is none. */
export function listAt(
  value: unknown,
  ...path: readonly (string | number)[]
): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}
