import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { assertId } from "../../core/id.ts";
import { UserError } from "../../core/error.ts";
import { errorCode, systemFailure } from "../../core/system_error.ts";

/** The folder sessions live in. No path outside it ever leaves here. */
export class Folder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** The file of a session. */
  file(id: string): string {
    assertId(id);
    return join(this.path, `${id}.jsonl`);
  }

  /** Where the lines go that a crash cut off in a session's file. */
  torn(id: string): string {
    assertId(id);
    return join(this.path, `${id}.torn.txt`);
  }

  /** Held by whoever writes; the json store's, too. */
  get lock(): string {
    return join(this.path, ".lock");
  }

  /** The folder conversations are most likely about. */
  get project(): string {
    const parent = dirname(this.path);
    return basename(parent) === ".mm" ? dirname(parent) : parent;
  }

  /** Tells whether the folder is there; throws when it leads elsewhere. */
  exists(): boolean {
    return this.#own().every(isFolder);
  }

  /** Makes what is missing, for this user alone. */
  create(): void {
    for (const path of this.#own()) if (!isFolder(path)) makeFolder(path);
    const parent = dirname(this.path);
    if (basename(parent) === ".mm") writeIgnore(join(parent, ".gitignore"));
  }

  /** Makes renames and removals in it survive a power cut. */
  sync(): void {
    syncFolder(this.path);
  }

  // `.mm` and what is in it are ours; what is above belongs to the user, links and all.
  #own(): readonly string[] {
    const parent = dirname(this.path);
    return basename(parent) === ".mm" ? [parent, this.path] : [this.path];
  }
}

function isFolder(path: string): boolean {
  const found = entry(path);
  if (!found) return false;
  if (found.isDirectory()) return true;
  throw new UserError(
    found.isSymbolicLink()
      ? `Cannot keep sessions in "${path}": it is a symbolic link, and sessions never leave the project; replace it by a folder`
      : `Cannot keep sessions in "${path}": it is not a folder; move it away`,
  );
}

function entry(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw systemFailure(`look into folder "${path}"`, error);
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
    syncFolder(dirname(path));
  } catch (error) {
    // Another process may have been faster.
    if (errorCode(error) === "EEXIST" && isFolder(path)) return;
    throw systemFailure(`create folder "${path}"`, error);
  }
}

// Conversations may hold secrets: git must not see them even in a careless `git add .`
function writeIgnore(path: string): void {
  try {
    writeFileSync(path, "*\n", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (errorCode(error) === "EEXIST") return;
    throw systemFailure(`write "${path}"`, error);
  }
}

function syncFolder(path: string): void {
  if (Deno.build.os === "windows") return; // a folder cannot be opened there
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } catch (error) {
    // Some network file systems cannot sync a folder; the file itself is safe.
    if (!["EINVAL", "ENOTSUP"].includes(errorCode(error) ?? "")) throw error;
  } finally {
    closeSync(folder);
  }
}
