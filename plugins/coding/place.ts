import { dirname, join, relative, resolve, sep } from "node:path";
import type { Access } from "../../core/approval.ts";
import type { ToolContext } from "../../core/tool.ts";

/** A path of a call, with where it leads once every symlink is followed. */
export interface Place {
  /** As the user writes it: relative to the current folder where that is shorter. */
  readonly shown: string;
  /** Absolute, every symlink followed; the last parts need not exist. */
  readonly real: string;
  readonly inside: boolean;
  /** It is output of a command that the model was shown a part of. */
  readonly printed: boolean;
  /** Whose own files it is among, where it is not only the project's. */
  readonly owner?: Owner;
}

type Owner = "git" | "mm" | "settings";

/** Access and its reason, as a plan needs them. */
export interface Verdict {
  readonly access: Access;
  readonly reason?: string;
  readonly scope?: string;
}

/**
 * Finds where `path` leads and whether that is inside the roots, and `project`'s
 * `.mm/output` with them. Throws for what no tool may open.
 */
export async function locate(
  path: string,
  { cwd, roots }: Pick<ToolContext, "cwd" | "roots">,
  project?: string,
): Promise<Place> {
  if (path.includes("\0")) throw new TypeError("A path holds no NUL");
  const full = resolve(cwd, path || ".");
  const real = await follow(full);
  const homes = await Promise.all(roots.map(follow));
  const output = project && join(await follow(project), ".mm", "output");
  const root = homes.find((home) => within(real, home));
  const printed = output !== undefined && within(real, output);
  const owner = root === undefined ? undefined : ownerOf(root, real);
  const shown = short(full, cwd);
  if (holdsKey(real)) {
    throw new Error(`"${shown}" holds the key of mm serve: no tool opens it`);
  }
  return {
    shown,
    real,
    inside: root !== undefined || printed,
    printed,
    ...(owner && { owner }),
  };
}

/** True for the notes by which `mm attach` finds a server: whoever reads one is that server's user. */
export function holdsKey(real: string): boolean {
  return /[/\\]\.mm[/\\]serve\.json[^/\\]*$/i.test(real);
}

/** What reading `place` asks for. */
export function readAccess(place: Place): Verdict {
  if (place.printed) return { access: "auto" };
  if (place.inside && place.owner !== "mm") return { access: "auto" };
  return {
    access: "ask",
    reason: place.inside ? "mm's own files" : "outside the project",
    scope: `files in ${dirname(place.real)}`,
  };
}

/** What writing `place` asks for. */
export function writeAccess(place: Place): Verdict {
  if (!place.inside) return { access: "ask", reason: "outside the project" };
  if (place.owner) return { access: "ask", reason: CHANGES[place.owner] };
  return { access: "edit", reason: "changes a file", scope: "edit" };
}

/** True when `path` is `folder` or lies in it. */
export function within(path: string, folder: string): boolean {
  if (path === folder) return true;
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** `path` relative to `cwd` when it lies in it. */
export function short(path: string, cwd: string): string {
  return within(path, cwd) ? relative(cwd, path) || "." : path;
}

// A missing end is kept as written; a dangling symlink leads to its target,
// because writing "through" it would create that.
async function follow(path: string, hops = 0): Promise<string> {
  if (hops > 40) throw new Error(`Too many symlinks in "${path}"`);
  try {
    return await Deno.realPath(path);
  } catch (error) {
    if (!missing(error)) throw error;
  }
  const target = await readLink(path);
  const parent = dirname(path);
  if (target !== undefined) {
    return follow(resolve(await follow(parent, hops + 1), target), hops + 1);
  }
  if (parent === path) return path;
  return join(await follow(parent, hops), path.slice(parent.length));
}

async function readLink(path: string): Promise<string | undefined> {
  try {
    return await Deno.readLink(path);
  } catch {
    return undefined; // no symlink, or nothing there
  }
}

/** True for the errors of a path whose end, or a folder on the way, is not there. */
export function missing(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound ||
    error instanceof Deno.errors.NotADirectory ||
    (error as { code?: string } | null)?.code === "ENOENT";
}

// What git and mm obey: whoever writes there can make a later, allowed command
// do anything.
const CHANGES: Readonly<Record<Owner, string>> = {
  git: "changes git's own files",
  mm: "changes mm's own files",
  settings: "changes mm's own settings",
};

function ownerOf(root: string, real: string): Owner | undefined {
  const parts = relative(root, real).toLowerCase().split(sep);
  if (parts.includes(".git")) return "git";
  if (parts.includes(".mm")) return "mm";
  return parts.at(-1) === "agent.yaml" ? "settings" : undefined;
}
