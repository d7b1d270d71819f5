import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { UserError } from "../../core/error.ts";
import { errorCode, systemFailure } from "../../core/system_error.ts";

/** What SQLite keeps beside a database. */
const BESIDE = ["", "-wal", "-shm", "-journal"];

/** Tells whether the database is there; throws when something else has its name, or one of its companions'. */
export function isThere(path: string): boolean {
  const folder = dirname(path);
  if (basename(folder) === ".mm") checkKind(folder, "isDirectory", "a folder");
  for (const name of BESIDE) checkKind(path + name, "isFile", "a regular file");
  return inodeOf(path) !== undefined;
}

/** Tells one file from another of the same name; undefined when there is none. */
export function inodeOf(path: string): number | undefined {
  return entry(path)?.ino ?? undefined;
}

/** Makes an empty file for this user alone, and its folder; SQLite's own would be everyone's to read. */
export function create(path: string): void {
  const folder = dirname(path);
  refuseOrphan(path);
  try {
    makeFolder(folder);
    // Conversations may hold secrets: git must not see them even in a careless `git add .`
    if (basename(folder) === ".mm") writeNew(`${folder}/.gitignore`, "*\n");
    writeNew(path, "");
  } catch (error) {
    throw systemFailure(`create session database "${path}"`, error);
  }
}

// SQLite would take the log of a database that is gone for one of the new one.
function refuseOrphan(path: string): void {
  const log = `${path}-wal`;
  if ((entry(log)?.size ?? 0) === 0 || inodeOf(path) !== undefined) return;
  throw new UserError(
    `Cannot create session database "${path}": "${log}" is left of an earlier one; put that back, or move the rest away`,
  );
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error; // there, or made meanwhile
  }
}

/** Leaves an older program's file to this user alone. */
export function makePrivate(path: string): void {
  if (Deno.build.os !== "windows") Deno.chmodSync(path, 0o600);
}

/** Writes a file that is not there yet, for this user alone. */
export function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error; // another process was faster
  }
}

function checkKind(
  path: string,
  kind: "isFile" | "isDirectory",
  words: string,
): void {
  const found = entry(path);
  if (!found || found[kind]) return;
  throw new UserError(
    found.isSymlink
      ? `Cannot keep sessions in "${path}": it is a symbolic link, and links are not followed; replace it by ${words}`
      : `Cannot keep sessions in "${path}": it is not ${words}; move it away`,
  );
}

function entry(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw systemFailure(`look at "${path}"`, error);
  }
}
