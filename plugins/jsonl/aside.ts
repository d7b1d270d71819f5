import { lstatSync, readdirSync, renameSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../core/system_error.ts";
import { TEMP } from "./write.ts";

/** The name of a file that was set aside. */
export const ASIDE = /^(\d{8}-\d{6}-[0-9a-f]{8}\.unreadable-\d+)\.jsonl$/;

/** Frees the name of an unreadable file; gives the name it has now. */
export function setAside(path: string): string {
  for (let n = 1;; n++) {
    const aside = path.replace(/\.jsonl$/, `.unreadable-${n}.jsonl`);
    if (isTaken(aside)) continue;
    renameSync(path, aside);
    return aside;
  }
}

/** Tells whether anything at all has this name. */
export function isTaken(path: string): boolean {
  return modified(path) !== undefined;
}

/** Removes a file; no error when there is none. */
export function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

/** Removes what processes that died while writing left behind. Call it with the lock held. */
export function sweep(folder: string, now: Date): void {
  for (const name of readdirSync(folder)) {
    if (!TEMP.test(name)) continue;
    const path = join(folder, name);
    const written = modified(path) ?? Infinity;
    if (now.getTime() - written > OLD_MS) unlinkIfThere(path);
  }
}

// Long past any write, for file systems whose locks hold back nobody.
const OLD_MS = 10 * 60 * 1000;

function modified(path: string): number | undefined {
  try {
    return lstatSync(path).mtimeMs;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
