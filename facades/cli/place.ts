import { dirname, join } from "node:path";
import { errorCode } from "../../core/system_error.ts";
import { UsageError } from "./usage_error.ts";

/** Where mm works. */
export interface Place {
  readonly cwd: string;
  /** The folder of the nearest agent.yaml, else the git root, else `cwd`. */
  readonly project: string;
  /** The nearest agent.yaml. */
  readonly file?: string;
}

/** Goes to `dir`, as if mm had been started there, and gives the folder mm is in. */
export function enter(dir: string | undefined): string {
  try {
    if (dir !== undefined) Deno.chdir(dir);
    return Deno.cwd();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const where = dir === undefined ? "the current folder" : `"${dir}"`;
    throw new UsageError(`Cannot work in ${where}: it is ${missing(error)}`);
  }
}

function missing(error: Error): string {
  if (error instanceof Deno.errors.NotFound) return "not there";
  if (error instanceof Deno.errors.PermissionDenied) {
    return "not yours to enter";
  }
  // Names that are not UTF-8 cannot be written into a record.
  if (error instanceof Deno.errors.InvalidData) return "not named in UTF-8";
  return "not a folder";
}

/**
 * Finds the project `cwd` belongs to. The search goes up to the root of the
 * file system, but a home folder above `cwd` is never a project: a stray
 * agent.yaml or a repository of dotfiles would make one of all that is in it.
 */
export async function findPlace(
  cwd: string,
  home = homeFolder(),
): Promise<Place> {
  const folders = [cwd, ...ancestors(cwd).filter((f) => f !== home)];
  const found = await Promise.all(folders.map(async (folder) => {
    const [config, git] = await Promise.all([
      isThere(join(folder, CONFIG_NAME)),
      isThere(join(folder, ".git")),
    ]);
    return { folder, config, git };
  }));
  const configured = found.find((f) => f.config)?.folder;
  const project = configured ?? found.find((f) => f.git)?.folder ?? cwd;
  if (configured === undefined) return { cwd, project };
  return { cwd, project, file: join(configured, CONFIG_NAME) };
}

/** How a configuration is called in a project. */
export const CONFIG_NAME = "agent.yaml";

/** The user's own folder; undefined where the system does not tell. */
export function homeFolder(): string | undefined {
  return Deno.env.get("HOME") || Deno.env.get("USERPROFILE") || undefined;
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [parent, ...ancestors(parent)];
}

async function isThere(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    // A folder that cannot be looked into holds nothing for us.
    if (error instanceof Deno.errors.PermissionDenied) return false;
    if (error instanceof Deno.errors.NotADirectory) return false;
    if (errorCode(error) === "ENAMETOOLONG") return false;
    // Something is there, and whoever reads it says what: a link to itself.
    return true;
  }
}
