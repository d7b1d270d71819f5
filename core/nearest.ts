import { closest, distance } from "fastest-levenshtein";

/** The known name closest to `name`, when it is close enough to be a slip; capitals are none. */
export function nearest(
  name: string,
  known: readonly string[],
): string | undefined {
  if (known.length === 0 || name === "") return undefined;
  const small = name.toLowerCase();
  const names = known.map((one) => one.toLowerCase());
  const best = closest(small, names);
  // Two swapped letters are a distance of 2.
  const slack = name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 3));
  return distance(small, best) <= slack || best.startsWith(small)
    ? known[names.indexOf(best)]
    : undefined;
}
