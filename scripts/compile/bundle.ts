import { basename, dirname, join, relative, resolve } from "node:path";
import { reason, run } from "../lib/command.ts";
import { Failure } from "../lib/failure.ts";
import { writeImportMap } from "./import_map.ts";
import { lazyRequire } from "./lazy_require.ts";
import { ENTRY, type Options } from "./options.ts";
import { slimMap } from "./slim_map.ts";

/** A bundled program: its start, its configuration, and what rides along. */
export interface Bundle {
  readonly main: string;
  readonly config: string;
  readonly include: readonly string[];
}

/** Bundles the entry, code-split and minified, beside the output. */
export async function bundle({ entry, output }: Options): Promise<Bundle> {
  const product = entry === ENTRY; // any other program has no plugins to serve
  const entries = product ? [entry, "mod.ts"] : [entry];
  const dir = output === "dist/mm" ? "dist/bundle" : `${output}.bundle`;
  await emptyDir(dir);
  await esbuild(entries, dir);
  await requireLazily(dir);
  const library = product ? [join(dir, "mod.js")] : [];
  return {
    main: join(dir, (product ? entry : basename(entry)).replace(/ts$/, "js")),
    config: await writeConfig(dir, product ? { mm: "./mod.js" } : {}),
    include: [...library, ...await sourceMaps(dir)],
  };
}

async function esbuild(entries: readonly string[], dir: string): Promise<void> {
  const outcome = await run(Deno.execPath(), [
    "bundle",
    "--quiet",
    "--code-splitting",
    "--minify",
    "--sourcemap=linked",
    `--import-map=${await writeImportMap()}`,
    `--outdir=${dir}`,
    ...entries,
  ]);
  if (!outcome.ok) {
    throw new Failure(`Cannot bundle ${entries[0]}: ${reason(outcome)}`);
  }
}

async function requireLazily(dir: string): Promise<void> {
  for await (const { name } of Deno.readDir(dir)) {
    if (!name.endsWith(".js")) continue;
    const path = join(dir, name);
    const code = await Deno.readTextFile(path);
    const lazy = lazyRequire(code);
    if (lazy !== code) await Deno.writeTextFile(path, lazy);
  }
}

// Only what external plugins may import by name: the project's own imports
// and lock would drag whole npm packages into the binary.
async function writeConfig(
  dir: string,
  imports: Record<string, string>,
): Promise<string> {
  const file = join(dir, "deno.json");
  const config = { nodeModulesDir: "none", imports };
  await Deno.writeTextFile(file, JSON.stringify(config));
  return file;
}

async function sourceMaps(dir: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(dir)) {
    const path = join(dir, entry.name);
    if (entry.isDirectory) found.push(...await sourceMaps(path));
    else if (path.endsWith(".map")) {
      await slim(path);
      found.push(path);
    }
  }
  return found.sort();
}

async function slim(path: string): Promise<void> {
  const map = JSON.parse(await Deno.readTextFile(path));
  const slimmed = slimMap(map, (source) => {
    const place = relative(Deno.cwd(), resolve(dirname(path), source));
    return !place.startsWith("..") && !place.startsWith(".cache");
  });
  await Deno.writeTextFile(path, JSON.stringify(slimmed));
}

async function emptyDir(dir: string): Promise<void> {
  try {
    await Deno.remove(dir, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  await Deno.mkdir(dir, { recursive: true });
}
