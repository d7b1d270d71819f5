/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Tells objects from the rest; an array is none. */
export function isRecord(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What `value` holds under `key`; undefined when it is no object. */
export function field(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}
