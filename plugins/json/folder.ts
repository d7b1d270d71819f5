import { mkdir, open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { assertId } from "../../core/id.ts";
import { UserError } from "../../core/error.ts";
import { errorCode, systemFailure } from "../../core/system_error.ts";
import { syncFolder } from "./sync_folder.ts";

/** The folder sessions live in. No path outside it ever leaves here. */
export class Folder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** The file of a session. */
  file(id: string): string {
    assertId(id);
    return join(this.path, `${id}.json`);
  }

  /** The folder conversations are most likely about. */
  get project(): string {
    const parent = dirname(this.path);
    return basename(parent) === ".mm" ? dirname(parent) : parent;
  }

  /** Tells whether the folder is there; throws when it leads elsewhere. */
  exists(): boolean {
    for (const path of this.#own()) {
      if (!isFolder(path)) return false;
    }
    return true;
  }

  /** Makes what is missing, for this user alone. */
  async create(): Promise<void> {
    for (const path of this.#own()) {
      if (isFolder(path)) continue;
      await makeFolder(path);
    }
    const parent = dirname(this.path);
    if (basename(parent) === ".mm") await writeIgnore(parent);
  }

  /** `.mm` and what is in it are ours; what is above belongs to the user, links and all. */
  #own(): readonly string[] {
    const parent = dirname(this.path);
    return basename(parent) === ".mm" ? [parent, this.path] : [this.path];
  }
}

// A handful of such calls precede each write; through a thread they would take longer than it.
function isFolder(path: string): boolean {
  let found: Deno.FileInfo;
  try {
    found = Deno.lstatSync(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw systemFailure(`look into folder "${path}"`, error);
  }
  if (found.isSymlink) {
    throw new UserError(
      `Cannot keep sessions in "${path}": it is a symbolic link, and sessions never leave the project; replace it by a folder`,
    );
  }
  if (!found.isDirectory) {
    throw new UserError(
      `Cannot keep sessions in "${path}": it is not a folder; move it away`,
    );
  }
  return true;
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
    await syncFolder(dirname(path));
  } catch (error) {
    // Another process may have been faster.
    if (errorCode(error) === "EEXIST" && isFolder(path)) return;
    throw systemFailure(`create folder "${path}"`, error);
  }
}

// Conversations may hold secrets: git must not see them even in a careless `git add .`
async function writeIgnore(folder: string): Promise<void> {
  const path = join(folder, ".gitignore");
  try {
    const file = await open(path, "wx", 0o600);
    try {
      await file.writeFile("*\n");
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errorCode(error) === "EEXIST") return;
    throw systemFailure(`write "${path}"`, error);
  }
}
