import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { UserError } from "../../core/error.ts";
import { assertId } from "../../core/id.ts";
import { errorCode, systemFailure } from "../../core/system_error.ts";
import { syncFolder } from "./sync_folder.ts";

/** The folder sessions live in. No path outside it ever leaves here. */
export class Folder {
  readonly path: string;
  /** What the names of session files end in: ".json". */
  readonly extension: string;

  constructor(path: string, extension: string) {
    this.path = path;
    this.extension = extension;
  }

  /** The file of a session, or what is kept beside it under another extension. */
  file(id: string, extension: string = this.extension): string {
    assertId(id);
    return join(this.path, `${id}${extension}`);
  }

  /** What a file's name says before the extension; undefined when it has another one. */
  stem(name: string): string | undefined {
    return name.endsWith(this.extension)
      ? name.slice(0, -this.extension.length)
      : undefined;
  }

  /** Held by whoever writes, whatever store keeps files here. */
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
  async create(): Promise<void> {
    for (const path of this.#own()) {
      if (!isFolder(path)) await makeFolder(path);
    }
    const parent = dirname(this.path);
    if (basename(parent) === ".mm") writeIgnore(join(parent, ".gitignore"));
  }

  // `.mm` and what is in it are ours; what is above belongs to the user, links and all.
  #own(): readonly string[] {
    const parent = dirname(this.path);
    return basename(parent) === ".mm" ? [parent, this.path] : [this.path];
  }
}

// A handful of such calls precede each write; through a thread they would take longer than it.
function isFolder(path: string): boolean {
  const found = entry(path);
  if (!found) return false;
  if (found.isDirectory) return true;
  throw new UserError(
    found.isSymlink
      ? `Cannot keep sessions in "${path}": it is a symbolic link, and sessions never leave the project; replace it by a folder`
      : `Cannot keep sessions in "${path}": it is not a folder; move it away`,
  );
}

function entry(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw systemFailure(`look into folder "${path}"`, error);
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    mkdirSync(path, { mode: 0o700 });
    await syncFolder(dirname(path));
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
