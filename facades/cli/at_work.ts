import { UserError } from "../../core/error.ts";
import { soon } from "../../core/soon.ts";

/**
 * Lets other processes know that this one may write conversations of a project,
 * until it ends: a store that changes meanwhile would not get them. They meet
 * in a lock on the project's folder itself, which leaves nothing on the disk
 * and which the system frees however its holder ends.
 */
export async function beAtWork(
  project: string,
  patience = PATIENCE_MS,
): Promise<Disposable> {
  const folder = openFolder(project);
  if (await lock(folder, { exclusive: false, patience })) {
    return folder ?? NOTHING;
  }
  folder?.close();
  throw new UserError(
    `Cannot start: ${project} is locked, as mm plugin does while it moves conversations; try again when that has ended`,
  );
}

/** Keeps everybody else from starting work in a project. Throws a UserError when somebody is at work. */
export async function claimProject(project: string): Promise<Disposable> {
  const folder = openFolder(project);
  if (await lock(folder, { exclusive: true, patience: 0 })) {
    return folder ?? NOTHING;
  }
  folder?.close();
  throw new UserError(
    `Cannot change where conversations are kept: mm is at work in ${project} (a terminal, an editor, mm run or mm serve); end it, then try again`,
  );
}

const NOTHING: Disposable = { [Symbol.dispose]() {} };

/** Few conversations take longer to move. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 50;

// Not every system opens folders: mm then does without, as it does where they cannot be locked.
function openFolder(path: string): Deno.FsFile | undefined {
  try {
    return Deno.openSync(path);
  } catch {
    return undefined;
  }
}

async function lock(
  folder: Deno.FsFile | undefined,
  { exclusive, patience }: {
    readonly exclusive: boolean;
    readonly patience: number;
  },
): Promise<boolean> {
  if (!folder) return true;
  try {
    if (!("tryLockSync" in folder)) {
      return await lockSoon(folder, exclusive, patience);
    }
    for (let waited = 0; !folder.tryLockSync(exclusive); waited += PAUSE_MS) {
      if (waited >= patience) return false;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return true;
  } catch {
    return true;
  }
}

// Some runtimes cannot ask whether a lock is free: they wait a little for it.
async function lockSoon(
  folder: Pick<Deno.FsFile, "lock">,
  exclusive: boolean,
  patience: number,
): Promise<boolean> {
  const ms = Math.max(patience, 500);
  return await soon(folder.lock(exclusive), ms) !== "late";
}
