/**
 * Numbers that a double cannot hold, or would write differently, are carried
 * as strings with this mark, so that an id comes back digit by digit.
 */
const MARK = "\u0000number:";

/** JSON text as a value; `id` and `params.requestId` keep every digit. */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!UNUSUAL.test(text)) return value;
  const found: { holder: unknown; key: string; source: string }[] = [];
  const again: unknown = JSON.parse(text, reviver(found));
  for (const { holder, key, source } of found) {
    const place = key === "id"
      ? again
      : (again as { params?: unknown } | null)?.params;
    if (holder !== place || !isWhole(source)) continue;
    (holder as Record<string, unknown>)[key] = MARK + source;
  }
  return again;
}

// Cheap, because most lines hold none and some are long.
const UNUSUAL = /"(?:id|requestId)"\s*:\s*-?(?:\d{16}|\d+[.eE]|0\d|-?0[,}\s])/;

function reviver(
  found: { holder: unknown; key: string; source: string }[],
): (this: unknown, key: string, value: unknown) => unknown {
  // `context` is newer than the types.
  return function (this: unknown, key: string, value: unknown, ...rest) {
    const [context] = rest as [{ source?: string }?];
    const named = key === "id" || key === "requestId";
    if (named && typeof value === "number" && context?.source !== undefined) {
      found.push({ holder: this, key, source: context.source });
    }
    return value;
  } as (this: unknown, key: string, value: unknown) => unknown;
}

function isWhole(source: string): boolean {
  const value = Number(source);
  return Number.isInteger(value) && source !== String(value);
}

/** The message as one line of JSON, its id as it came. */
export function stringifyExact(message: object): string {
  const { id } = message as { id?: unknown };
  if (typeof id !== "string" || !id.startsWith(MARK)) {
    return JSON.stringify(message);
  }
  const { id: _, ...rest } = message as Record<string, unknown>;
  return `{"id":${id.slice(MARK.length)},${JSON.stringify(rest).slice(1)}`;
}
