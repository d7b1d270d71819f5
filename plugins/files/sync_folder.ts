import { open } from "node:fs/promises";
import { errorCode } from "../../core/system_error.ts";

/** Makes renames and removals in `path` survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  if (Deno.build.os === "windows") return; // a folder cannot be opened there
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } catch (error) {
    // Some network file systems cannot sync a folder; the file itself is safe.
    if (!["EINVAL", "ENOTSUP"].includes(errorCode(error) ?? "")) throw error;
  } finally {
    await folder.close();
  }
}
