/** Any JSON object. */
export function isObject(
  value: unknown,
): value is Readonly<Record<string, unknown>> {
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
