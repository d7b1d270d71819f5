/** Any string. */
export function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** A whole number, 0 or more. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** A test for lists whose items all pass `test`. */
export function array(
  test: (value: unknown) => boolean,
): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every(test);
}

/** What is wrong with an optional field. */
export function maybe(
  value: Readonly<Record<string, unknown>>,
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
  value: Readonly<Record<string, unknown>>,
  field: string,
  words: readonly string[],
): string | undefined {
  const found = value[field];
  return isText(found) && words.includes(found)
    ? undefined
    : `"${field}" is not one of ${words.join(", ")}`;
}
