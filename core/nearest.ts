import { closest, distance } from "fastest-levenshtein";

/** The known name closest to `name`, when it is close enough to be a slip. */
export function nearest(
  name: string,
  known: readonly string[],
): string | undefined {
  if (known.length === 0) return undefined;
  const best = closest(name, known);
  const slack = Math.max(1, Math.floor(Math.max(name.length, 4) / 3));
  return distance(name, best) <= slack || best.startsWith(name)
    ? best
    : undefined;
}
