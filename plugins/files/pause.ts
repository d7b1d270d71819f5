import { setImmediate } from "node:timers";

/** Lets everything else that is ready run first. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
