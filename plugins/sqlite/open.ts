import { statSync } from "node:fs";
import { errorCode } from "../../core/system_error.ts";
import { Database } from "./database.ts";
import { failure } from "./errors.ts";
import { migrate, type MigrationHost } from "./migrate.ts";
import { patiently } from "./patience.ts";
import { create, inodeOf, isThere } from "./place.ts";

/** How a database is opened. */
export interface OpenOptions extends MigrationHost {
  readonly path: string;
  /** How long to wait for another process, in ms. */
  readonly timeout: number;
}

/** A log that shrank back to this many bytes is not cut further. */
export const WAL_BYTES = 8 * 1024 ** 2;

/** Opens the database, made or brought up to date as needed; undefined when there is none and none is to be made. */
export async function openDatabase(
  options: OpenOptions,
  make: boolean,
): Promise<Database | undefined> {
  const { path, timeout } = options;
  if (!isThere(path)) {
    if (!make) return undefined;
    create(path);
  }
  try {
    return await patiently(() => open(options), timeout);
  } catch (error) {
    const readOnly = make ? undefined : openUnwritable(path);
    if (readOnly) return readOnly;
    throw failure(`open session database "${path}"`, error);
  }
}

function open(options: OpenOptions): Database {
  const db = new Database(options.path);
  try {
    // Always: what the index or a page gives up while others are added is said, too.
    db.script("PRAGMA secure_delete = ON");
    migrate(db, options);
    // FULL: what is acknowledged survives a power cut.
    db.script(`PRAGMA synchronous = FULL`);
    db.script(`PRAGMA journal_size_limit = ${WAL_BYTES}`);
    db.get("SELECT count(*) FROM sqlite_schema"); // now the log is there
    db.logInode = inodeOf(`${db.path}-wal`);
    return db;
  } catch (error) {
    db[Symbol.dispose]();
    throw error;
  }
}

// On a read-only disk SQLite cannot make the files by which readers find each
// other. Nobody writes there, so it can do without, if nothing is in the log.
function openUnwritable(path: string): Database | undefined {
  if (sizeOf(`${path}-wal`) > 0 || isWritable(path)) return undefined;
  const db = new Database(path, { immutable: true });
  try {
    db.get("SELECT count(*) FROM sessions");
    return db;
  } catch {
    db[Symbol.dispose](); // the first error is the one to tell
    return undefined;
  }
}

function isWritable(path: string): boolean {
  try {
    Deno.openSync(path, { write: true }).close();
    return true;
  } catch (error) {
    return !["EROFS", "EACCES", "EPERM"].includes(errorCode(error) ?? "");
  }
}

/** The size of a file; 0 when there is none. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
