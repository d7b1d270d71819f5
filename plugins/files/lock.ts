import { UserError } from "../../core/error.ts";
import { errorCode, systemFailure } from "../../core/system_error.ts";
import { awaitLock } from "./lock_wait.ts";

/** Runs `work` while no other process holds the lock file at `path`. */
export async function withLock<T>(
  path: string,
  work: () => Promise<T>,
): Promise<T> {
  using lock = new Lock(path);
  return await lock.hold(work);
}

/**
 * A lock among processes. Its file stays open between two uses, since opening
 * it anew takes longer than all that is done with it. The system frees the
 * lock when its holder dies, however it dies.
 */
export class Lock implements Disposable {
  readonly #path: string;
  #file: LockFile | undefined;

  /** The lock file is made at `path`, in a folder that must be there by then. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Runs `work` while no other process holds the lock; ask again only when it has ended. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    const file = await this.#acquire();
    try {
      return await work();
    } finally {
      file.unlockSync();
    }
  }

  [Symbol.dispose](): void {
    this.#file?.file.close();
    this.#file = undefined;
  }

  async #acquire(): Promise<Deno.FsFile> {
    for (;;) {
      const held = this.#file ??= openLock(this.#path);
      try {
        await awaitLock(held.file, this.#path);
        if (isStill(held, this.#path)) return held.file;
      } catch (error) {
        this[Symbol.dispose]();
        if (error instanceof UserError) throw error;
        throw systemFailure(`lock "${this.#path}"`, error);
      }
      this[Symbol.dispose]();
    }
  }
}

interface LockFile {
  readonly file: Deno.FsFile;
  readonly info: Deno.FileInfo;
}

function openLock(path: string): LockFile {
  try {
    refuseOdd(path);
    const options = { create: true, write: true, mode: 0o600 };
    const file = Deno.openSync(path, options);
    return { file, info: file.statSync() };
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

// Whoever deletes the lock file would leave two holders of two files.
function isStill({ info }: LockFile, path: string): boolean {
  try {
    const named = Deno.lstatSync(path);
    return info.ino === named.ino && info.dev === named.dev;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
