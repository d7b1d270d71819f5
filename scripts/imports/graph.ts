import { join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { reason, run } from "../lib/command.ts";
import { Failure } from "../lib/failure.ts";
import type { Target } from "./rules.ts";

/** One import, type-only and dynamic ones included. */
export interface Import {
  readonly file: string;
  readonly line: number;
  readonly to: Target;
  /** It is erased before anything runs. */
  readonly typeOnly: boolean;
}

/** What the files import, and those that could not be parsed. */
export interface Graph {
  readonly imports: readonly Import[];
  readonly broken: readonly string[];
}

/** Lists the sources of the tree, named from its root, in order. */
export async function sources(root: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isFile } of Deno.readDir(root)) {
    if (isFile && name === "mod.ts") found.push(name);
  }
  for (const zone of ["core", "facades", "plugins", "scripts", "tests"]) {
    found.push(...await walk(root, zone));
  }
  return found.sort();
}

/** Lets Deno parse the files, all in one go and without resolving packages. */
export async function readGraph(
  root: string,
  files: readonly string[],
): Promise<Graph> {
  const modules = await parse(files.map((file) => url(root, file)));
  const known = new Map(files.map((file) => [url(root, file), file]));
  const imports: Import[] = [];
  const broken: string[] = [];
  for (const { specifier, error, dependencies = [] } of modules) {
    const file = known.get(specifier);
    if (!file) continue;
    if (error) broken.push(file);
    for (const dependency of dependencies) {
      imports.push({
        file,
        line: line(dependency),
        to: target(root, dependency),
        typeOnly: dependency.code === undefined,
      });
    }
  }
  return { imports, broken };
}

async function walk(root: string, dir: string): Promise<string[]> {
  const found: string[] = [];
  try {
    for await (const entry of Deno.readDir(join(root, dir))) {
      const path = `${dir}/${entry.name}`;
      if (entry.isDirectory) found.push(...await walk(root, path));
      else if (/\.[mc]?[jt]sx?$/.test(entry.name)) found.push(path);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return found;
}

async function parse(urls: readonly string[]): Promise<readonly Module[]> {
  const entry = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    const imports = urls.map((url) => `import ${JSON.stringify(url)};`);
    await Deno.writeTextFile(entry, imports.join("\n"));
    const outcome = await run(Deno.execPath(), [
      "info",
      "--json",
      "--no-config",
      "--no-lock",
      "--no-npm",
      "--no-remote",
      entry,
    ]);
    if (outcome.ok) return JSON.parse(outcome.stdout).modules;
    throw new Failure(`Cannot read the import graph: ${reason(outcome)}`);
  } finally {
    await Deno.remove(entry);
  }
}

function target(root: string, { specifier, code, type }: Dependency): Target {
  if (specifier === "mm") return { name: "mod.ts", outside: false };
  const resolved = code?.specifier ?? type?.specifier ?? specifier;
  if (!resolved.startsWith("file:")) return { name: specifier, outside: true };
  const name = relative(resolve(root), fileURLToPath(resolved));
  return { name, outside: false };
}

// One entry stands for all imports of a specifier: name the first.
function line({ code, type }: Dependency): number {
  const lines = [code, type].flatMap((place) => place?.span.start.line ?? []);
  return Math.min(...lines) + 1;
}

function url(root: string, file: string): string {
  return pathToFileURL(resolve(root, file)).href;
}

// What `deno info --json` prints.
interface Module {
  readonly specifier: string;
  readonly error?: string;
  readonly dependencies?: readonly Dependency[];
}

interface Dependency {
  readonly specifier: string;
  readonly code?: Place;
  readonly type?: Place;
}

interface Place {
  readonly specifier?: string;
  readonly span: { readonly start: { readonly line: number } };
}
