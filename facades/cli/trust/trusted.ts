import { join } from "node:path";
import type { Power } from "../../../core/powers.ts";
import { systemFailure } from "../../../core/system_error.ts";
import { sha256 } from "../plugin/sha256.ts";
import { noStateFolder, stateFolder, writeState } from "../state_folder.ts";

/**
 * Tells whether this user let a project have exactly these powers. Each such
 * decision is a file, named by the hash of both: another clone of the same
 * project asks anew, and so does any change of what it may do.
 */
export async function isTrusted(
  project: string,
  powers: readonly Power[],
): Promise<boolean> {
  const folder = stateFolder(NAME);
  if (folder === undefined) return false;
  const file = join(folder, nameOf(await realPath(project), powers));
  try {
    return (await Deno.lstat(file)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw systemFailure(`look for trust in "${file}"`, error);
  }
}

/** Lets it from now on. Throws a UserError when that cannot be kept. */
export async function trust(
  project: string,
  powers: readonly Power[],
): Promise<void> {
  const real = await realPath(project);
  const file = join(folder(), nameOf(real, powers));
  // Only the name counts; what is in it is for people, and for `revoke`.
  const text = JSON.stringify({ project: real }) + "\n";
  await writeState(file, new TextEncoder().encode(text), "trust");
}

/** Takes back all that the project was ever let; tells whether there was any. */
export async function revoke(project: string): Promise<boolean> {
  const real = await realPath(project);
  let any = false;
  for (const name of await names()) {
    const file = join(folder(), name);
    if (await projectIn(file) !== real) continue;
    await remove(file);
    any = true;
  }
  return any;
}

const NAME = "trusted";

function folder(): string {
  const folder = stateFolder(NAME);
  if (folder !== undefined) return folder;
  throw noStateFolder("keep what you trust");
}

// A project that is reached by a link is the same one.
async function realPath(project: string): Promise<string> {
  try {
    return await Deno.realPath(project);
  } catch (error) {
    throw systemFailure(`find "${project}"`, error);
  }
}

// In whatever order they stand in the file.
function nameOf(project: string, powers: readonly Power[]): string {
  const all = powers.map((power) => JSON.stringify(canonical(power))).sort();
  const text = JSON.stringify([project, all]);
  return `${sha256(new TextEncoder().encode(text))}.json`;
}

// One text for one meaning: keys in order, and numbers that JSON has no word for.
function canonical(value: unknown): unknown {
  if (typeof value === "number") {
    return Number.isFinite(value) ? value : String(value);
  }
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1)
      .map(([key, inner]) => [key, canonical(inner)]),
  );
}

async function names(): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder()), (e) => e.name))
      .filter((name) => name.endsWith(".json"));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw systemFailure(`read "${folder()}"`, error);
  }
}

async function projectIn(file: string): Promise<unknown> {
  try {
    return JSON.parse(await Deno.readTextFile(file))?.project;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // not ours
    if (error instanceof Deno.errors.NotFound) return undefined; // gone by now
    throw systemFailure(`read "${file}"`, error);
  }
}

async function remove(file: string): Promise<void> {
  try {
    await Deno.remove(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw systemFailure(`remove "${file}"`, error);
  }
}
