import { lstat } from "node:fs/promises";
import { UserError } from "../../core/error.ts";
import { errorCode, failed } from "./errors.ts";

/**
 * Runs `work` while no other process holds the lock file at `path`. The
 * system frees the lock when its holder dies, however it dies.
 */
export async function withLock<T>(
  path: string,
  work: () => Promise<T>,
): Promise<T> {
  using _file = await acquire(path);
  return await work();
}

async function acquire(path: string): Promise<Deno.FsFile> {
  while (true) {
    const file = await openLock(path);
    try {
      await file.lock(true);
      if (await isStill(file, path)) return file;
    } catch (error) {
      file.close();
      throw failed(`lock "${path}"`, error);
    }
    file.close();
  }
}

async function openLock(path: string): Promise<Deno.FsFile> {
  try {
    await refuseOdd(path);
    return await Deno.open(path, { create: true, write: true, mode: 0o600 });
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw failed(`open lock file "${path}"`, error);
  }
}

// Opening a link would create a file elsewhere, opening a FIFO would hang.
async function refuseOdd(path: string): Promise<void> {
  try {
    if ((await lstat(path)).isFile()) return;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw error;
  }
  throw new UserError(
    `Cannot use lock file "${path}": it is not a regular file; remove it`,
  );
}

// Whoever deletes the lock file while we wait would leave two holders of two files.
async function isStill(file: Deno.FsFile, path: string): Promise<boolean> {
  const held = await file.stat();
  try {
    const named = await Deno.stat(path);
    return held.ino === named.ino && held.dev === named.dev;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
