/**
 * Waits until `check` gives something. Far longer than any machine takes: what
 * has not come by then never will, and `what` says what that was.
 */
export async function until<T>(
  check: () => T | Promise<T>,
  what: string | (() => string) = "",
): Promise<Exclude<T, false | null | undefined>> {
  for (const end = performance.now() + PATIENCE_MS;;) {
    const found = await check();
    if (found) return found as Exclude<T, false | null | undefined>;
    if (performance.now() > end) {
      const missing = typeof what === "string" ? what : what();
      throw new Error(`This did not come: ${missing || check}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const PATIENCE_MS = 120_000;
