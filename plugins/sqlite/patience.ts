import { setTimeout as delay } from "node:timers/promises";
import { isBusy } from "./errors.ts";

/** What one try may wait inside SQLite, with everything else standing still. */
export const STEP_MS = 50;

/** Asks `work` again and again until it says yes, for `ms` at most; tells whether it did. */
export async function eventually(
  work: () => boolean,
  ms: number,
): Promise<boolean> {
  const end = performance.now() + ms;
  while (!work()) {
    if (performance.now() > end) return false;
    await delay(PAUSE_MS);
  }
  return true;
}

const PAUSE_MS = 10;

/**
 * Does `work`, again and again while another process keeps the database
 * locked, for `ms` at most. Between the tries everything else goes on.
 */
export async function patiently<T>(
  work: () => T | Promise<T>,
  ms: number,
): Promise<T> {
  const end = performance.now() + ms;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
    }
    await delay(2 + Math.random() * 10); // not all in step
  }
}
