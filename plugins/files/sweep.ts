import { lstatSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../core/system_error.ts";
import { TEMP } from "./replace.ts";

/** Removes what processes that died while writing left behind. Call it with the lock held. */
export function sweep(folder: string, now: Date): void {
  for (const name of readdirSync(folder)) {
    if (!TEMP.test(name)) continue;
    const path = join(folder, name);
    try {
      const { mtimeMs } = lstatSync(path);
      if (now.getTime() - mtimeMs > OLD_MS) unlinkSync(path);
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
    }
  }
}

// Long past any write, for file systems whose locks hold back nobody.
const OLD_MS = 10 * 60 * 1000;
