import { isAbsolute, resolve } from "node:path";
import { systemReason } from "../../core/system_error.ts";
import { invalid } from "./fault.ts";

/** A folder the client named, in the one form that is recorded and compared: no link, no trailing slash. */
export async function folderOf(name: string, path: string): Promise<string> {
  if (!isAbsolute(path) || path.includes("\0")) {
    throw invalid(`Cannot use ${name}: expected an absolute path`);
  }
  try {
    return await Deno.realPath(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw denied(name, error);
  }
  // It may be gone; its conversations are not.
  await isThere(name, path);
  return resolve(path);
}

/** The folder, which must be there. */
export async function existingFolder(
  name: string,
  path: string,
): Promise<string> {
  const folder = await folderOf(name, path);
  if (await isThere(name, folder)) return folder;
  throw invalid(`Cannot use ${name}: there is no folder "${path}"`);
}

/** `cwd` and what may be touched besides. */
export async function rootsOf(
  cwd: string,
  additional: readonly string[] | null | undefined,
): Promise<string[]> {
  const more = await Promise.all(
    (additional ?? []).map((path) => folderOf("additionalDirectories", path)),
  );
  return [cwd, ...more.filter((path) => path !== cwd)];
}

// Throws when it could not even have been there: its path is too long.
async function isThere(name: string, folder: string): Promise<boolean> {
  try {
    return (await Deno.stat(folder)).isDirectory;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw denied(name, error);
    return false;
  }
}

function denied(name: string, error: unknown): Error {
  return invalid(`Cannot use ${name}: ${systemReason(error)}`);
}
