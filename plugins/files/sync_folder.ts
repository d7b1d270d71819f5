import { closeSync, fsync, openSync } from "node:fs";
import { promisify } from "node:util";
import { errorCode } from "../../core/system_error.ts";

/** Makes renames and removals in `path` survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  if (Deno.build.os === "windows") return; // a folder cannot be opened there
  const folder = openSync(path, "r");
  try {
    await sync(folder);
  } catch (error) {
    // Some network file systems cannot sync a folder; the file itself is safe.
    if (!["EINVAL", "ENOTSUP"].includes(errorCode(error) ?? "")) throw error;
  } finally {
    closeSync(folder);
  }
}

const sync = promisify(fsync);
