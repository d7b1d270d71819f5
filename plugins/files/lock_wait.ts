import { UserError } from "../../core/error.ts";
import { soon } from "../../core/soon.ts";

/** A file that can be locked; closing it gives the lock back, even one that comes later. */
export interface Lockable {
  /** Takes the lock if it is free, without a detour by another thread; not every runtime has it. */
  tryLockSync?(exclusive: boolean): boolean;
  lock(exclusive: boolean): Promise<void>;
}

/** Longer than any write takes, and all that may wait before this one. */
const PATIENCE_MS = 30_000;

/**
 * Waits for the lock on the file at `path`. A holder that does not give it
 * back (a stopped process) is a UserError after `ms`: nobody waits for ever.
 */
export async function awaitLock(
  file: Lockable,
  path: string,
  ms: number = PATIENCE_MS,
): Promise<void> {
  if (file.tryLockSync?.(true)) return;
  if (await soon(file.lock(true), ms) !== "late") return;
  throw new UserError(
    `Cannot save: another process has held "${path}" for ${
      ms / 1000
    } s; end it and ask again`,
  );
}
