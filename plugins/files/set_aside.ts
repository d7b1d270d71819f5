import { renameSync } from "node:fs";
import { dirname, parse } from "node:path";
import { errorCode } from "../../core/system_error.ts";
import { attempt } from "./attempt.ts";
import { syncFolder } from "./sync_folder.ts";

/** The name of a file that was set aside, without its extension. */
export const ASIDE = /^\d{8}-\d{6}-[0-9a-f]{8}\.unreadable-\d+$/;

/** Frees the name of an unreadable file; gives the path it has now. */
export async function setAside(path: string): Promise<string> {
  const { ext } = parse(path);
  const stem = path.slice(0, -ext.length);
  for (let n = 1;; n++) {
    const aside = `${stem}.unreadable-${n}${ext}`;
    if (isTaken(aside)) continue;
    renameSync(path, aside);
    await syncFolder(dirname(path));
    return aside;
  }
}

/** Sets an unreadable file aside while `work` makes another of its name; puts it back when that fails. */
export async function insteadOf(
  path: string,
  work: () => Promise<void>,
): Promise<void> {
  const aside = await attempt(
    `set session file "${path}" aside`,
    () => setAside(path),
  );
  try {
    await work();
  } catch (error) {
    if (!isTaken(path)) renameSync(aside, path);
    throw error;
  }
}

/** Tells whether anything at all has this name. */
export function isTaken(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}
