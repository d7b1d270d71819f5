import { lstat, rename } from "node:fs/promises";
import { errorCode } from "../../core/system_error.ts";
import { syncFolder } from "./sync_folder.ts";
import { dirname } from "node:path";

/** The name of a file that was set aside. */
export const ASIDE = /^(\d{8}-\d{6}-[0-9a-f]{8}\.unreadable-\d+)\.json$/;

/** Frees the name of an unreadable file; gives the name it has now. */
export async function setAside(path: string): Promise<string> {
  for (let n = 1;; n++) {
    const aside = path.replace(/\.json$/, `.unreadable-${n}.json`);
    if (await isTaken(aside)) continue;
    await rename(path, aside);
    await syncFolder(dirname(path));
    return aside;
  }
}

/** Tells whether anything at all has this name. */
export async function isTaken(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}
