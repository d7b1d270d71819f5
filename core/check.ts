/** The fields of a stored object, not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** Any string. */
export function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** A whole number, 0 or more. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** A number that JSON can hold. */
export function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** A time. Cursors carry it in base64 and lists are sorted by it: printable ASCII, ISO 8601 by contract. */
export function isTime(value: unknown): value is string {
  return isText(value) && /^[\x20-\x7e]{0,64}$/.test(value);
}

/** A test for lists whose items all pass `test`. */
export function array(
  test: (value: unknown) => boolean,
): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every(test);
}

/** What is wrong with fields that must be text. */
export function textsProblem(
  value: Fields,
  fields: readonly string[],
): string | undefined {
  const bad = fields.find((field) => !isText(value[field]));
  return bad === undefined ? undefined : `"${bad}" is not text`;
}

/** What is wrong with an optional field. */
export function maybe(
  value: Fields,
  field: string,
  test: (value: unknown) => boolean,
): string | undefined {
  const found = value[field];
  return found === undefined || test(found)
    ? undefined
    : `"${field}" has the wrong type`;
}

/** What is wrong with a field that must be one of a few words. */
export function oneOf(
  value: Fields,
  field: string,
  words: readonly string[],
): string | undefined {
  const found = value[field];
  return isText(found) && words.includes(found)
    ? undefined
    : `"${field}" is not one of ${words.join(", ")}`;
}
