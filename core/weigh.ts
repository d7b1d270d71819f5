/**
 * About how many bytes a JSON value takes as JSON, a byte a UTF-16 unit.
 * Counting it exactly would cost more than all else the ring does.
 */
export function weigh(value: unknown): number {
  switch (typeof value) {
    case "string":
      return value.length + 2;
    case "object":
      if (value === null) return 4;
      return Array.isArray(value) ? weighItems(value) : weighFields(value);
    case "undefined":
      return 0;
    default:
      return 6;
  }
}

function weighItems(items: readonly unknown[]): number {
  let bytes = 2;
  for (const item of items) bytes += weigh(item) + 1;
  return bytes;
}

function weighFields(object: object): number {
  let bytes = 2;
  for (const key in object) {
    bytes += key.length + 4 + weigh((object as Record<string, unknown>)[key]);
  }
  return bytes;
}
