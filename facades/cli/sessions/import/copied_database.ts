import { pathToFileURL } from "node:url";
import { UserError } from "../../../../core/error.ts";
import type { CopiedFile } from "./copied_file.ts";
import { headOf } from "./head.ts";

/**
 * Copies a database as it stands at one moment, whatever others write to it
 * meanwhile; gives the path of the copy. Nothing is written to the original,
 * nor left beside it.
 */
export async function copyDatabase(
  file: string,
  copy: CopiedFile,
): Promise<string> {
  const real = await Deno.realPath(file);
  const path = copy.path(NAME);
  try {
    await snapshot(real, path);
    return path;
  } catch (error) {
    if (!isSqlite(error)) throw error;
    if (error.errcode !== BUSY) return await asItLies(real, copy);
    throw new UserError("another program keeps it locked; end it", {
      cause: error,
    });
  }
}

const NAME = "copy.db";

async function snapshot(file: string, to: string): Promise<void> {
  const resting = await restingStamp(file);
  if (resting !== undefined) {
    await backUp(`${pathToFileURL(file)}?immutable=1`, to);
    if (await restingStamp(file) === resting) return;
  }
  await backUp(file, to);
}

// In WAL mode, and without a log, nobody has it open. Then SQLite can do
// without the files beside it by which readers and writers find each other.
async function restingStamp(file: string): Promise<string | undefined> {
  const head = await headOf(file);
  if (head[WRITE_VERSION] !== WAL || await isThere(`${file}-wal`)) return;
  const { mtime, size } = await Deno.stat(file);
  return `${mtime?.getTime()} ${size}`;
}

const WRITE_VERSION = 18; // its place in the file
const WAL = 2;

async function backUp(location: string, to: string): Promise<void> {
  // node:sqlite is loaded by who uses it alone.
  const { backup, DatabaseSync } = await import("node:sqlite");
  using db = new DatabaseSync(location, { readOnly: true });
  // What is read stands still from here on; a backup by itself would wait for
  // a lock for ever, and begin again after each write of others.
  db.exec("PRAGMA busy_timeout = 1000; BEGIN");
  db.prepare("SELECT count(*) FROM sqlite_schema").get();
  await backup(db, to, { rate: -1 });
}

// SQLite cannot read it where it is, in a folder that is read-only or after a
// crash; whoever opens the copy says what is wrong with it.
async function asItLies(file: string, copy: CopiedFile): Promise<string> {
  for (const end of ["-wal", "-journal"]) {
    if (await isThere(file + end)) await copy.of(file + end, NAME + end);
  }
  return await copy.of(file, NAME);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function isSqlite(error: unknown): error is Error & { errcode?: number } {
  return error instanceof Error && "code" in error &&
    error.code === "ERR_SQLITE_ERROR";
}

const BUSY = 5;
