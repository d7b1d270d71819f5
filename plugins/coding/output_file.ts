import { join } from "node:path";
import { randomHex } from "../../core/id.ts";
import { missing } from "./place.ts";

const KEEP = 50;

/** A file for one command's whole output, under the project's `.mm/output`. */
export interface OutputFile {
  readonly path: string;
  readonly file: Deno.FsFile;
}

/** Opens a fresh output file, private to the user, and removes the oldest of the others. */
export function openOutput(project: string, now: Date): OutputFile {
  const home = join(project, ".mm");
  const folder = join(home, "output");
  makeFolder(home);
  makeFolder(folder);
  ignoreAll(home);
  prune(folder);
  const stamp = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")
    .replace("T", "-");
  const path = join(folder, `${stamp}-${randomHex(8)}.txt`);
  const file = Deno.openSync(path, {
    write: true,
    createNew: true,
    mode: 0o600,
  });
  return { path, file };
}

// A symlink here would put private output wherever it points.
function makeFolder(path: string): void {
  try {
    Deno.mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    if (!Deno.lstatSync(path).isDirectory) {
      throw new Error(`"${path}" is no folder`, { cause: error });
    }
  }
}

function ignoreAll(home: string): void {
  try {
    Deno.writeTextFileSync(join(home, ".gitignore"), "*\n", {
      createNew: true,
      mode: 0o600,
    });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}

function prune(folder: string): void {
  const names = [...Deno.readDirSync(folder)]
    .filter((entry) => entry.isFile && /^\d{8}-\d{6}-/.test(entry.name))
    .map((entry) => entry.name).sort();
  for (const name of names.slice(0, Math.max(0, names.length - KEEP + 1))) {
    try {
      Deno.removeSync(join(folder, name));
    } catch (error) {
      if (!missing(error)) throw error; // another process pruned it
    }
  }
}
