import { UserError } from "../../core/error.ts";

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
  for (let waited = 0; !lock(folder, SHARED); waited += PAUSE_MS) {
    if (waited >= patience) {
      folder?.close();
      throw new UserError(
        `Cannot start: ${project} is locked, as mm plugin does while it moves conversations; try again when that has ended`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return folder ?? NOTHING;
}

/** Keeps everybody else from starting work in a project. Throws a UserError when somebody is at work. */
export function claimProject(project: string): Disposable {
  const folder = openFolder(project);
  if (lock(folder, !SHARED)) return folder ?? NOTHING;
  folder?.close();
  throw new UserError(
    `Cannot change where conversations are kept: mm is at work in ${project} (a terminal, an editor, mm run or mm serve); end it, then try again`,
  );
}

const SHARED = true;
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

function lock(folder: Deno.FsFile | undefined, shared: boolean): boolean {
  try {
    return folder?.tryLockSync(!shared) ?? true;
  } catch {
    return true;
  }
}
