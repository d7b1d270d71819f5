/** Tells whether two values say the same as JSON: the order of keys and absent ones do not matter. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) {
    return a === b; // 0 and -0
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length &&
      a.every((value, i) => same(value, b[i]));
  }
  const [left, right] = [a, b] as [Fields, Fields];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every(
    (key) => same(left[key], right[key]),
  );
}

type Fields = Readonly<Record<string, unknown>>;
