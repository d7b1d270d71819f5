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

/** Parses JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
