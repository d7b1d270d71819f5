import { UserError } from "../../core/error.ts";
import { awaitLock } from "../../core/lock_wait.ts";
import { errorCode, systemFailure } from "../../core/system_error.ts";

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
    const file = openLock(path);
    try {
      await awaitLock(file, path);
      if (isStill(file, path)) return file;
    } catch (error) {
      file.close();
      if (error instanceof UserError) throw error;
      throw systemFailure(`lock "${path}"`, error);
    }
    file.close();
  }
}

function openLock(path: string): Deno.FsFile {
  try {
    refuseOdd(path);
    return Deno.openSync(path, { create: true, write: true, mode: 0o600 });
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw systemFailure(`open lock file "${path}"`, error);
  }
}

// Opening a link would create a file elsewhere, opening a FIFO would hang.
function refuseOdd(path: string): void {
  try {
    if (Deno.lstatSync(path).isFile) return;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw error;
  }
  throw new UserError(
    `Cannot use lock file "${path}": it is not a regular file; remove it`,
  );
}

// Whoever deletes the lock file while we wait would leave two holders of two files.
function isStill(file: Deno.FsFile, path: string): boolean {
  const held = file.statSync();
  try {
    const named = Deno.statSync(path);
    return held.ino === named.ino && held.dev === named.dev;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
