/** Milliseconds before each try to connect again; the last one is for all that follow. */
const WAITS = [50, 250, 500, 1_000, 2_000, 4_000, 8_000, 12_000] as const;

/** How long to wait before try `n` (0, 1 …), so that many clients do not come back at once. */
export function backoff(n: number, random = Math.random): number {
  const wait = WAITS[Math.min(n, WAITS.length - 1)] ?? 0;
  return wait * (0.75 + random() / 2);
}
