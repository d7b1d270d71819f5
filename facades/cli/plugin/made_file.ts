import { systemFailure } from "../../../core/system_error.ts";

/** Tells whether there is anything at a path. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw systemFailure(`look at "${path}"`, error);
  }
}

/** Removes a database that nobody uses, with what stands beside it. */
export async function removeMade(file: string): Promise<void> {
  for (const end of ["", "-wal", "-shm", "-journal", ".lock"]) {
    try {
      await Deno.remove(file + end);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) continue;
      throw systemFailure(`remove "${file}${end}"`, error);
    }
  }
}
