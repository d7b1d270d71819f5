import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "../../../core/plugin.ts";
import type { Store } from "../../../core/store.ts";
import { removeDir } from "../../temp_dir.ts";

const ROOT = join(import.meta.dirname!, "../../..");

/** The plugin `name` of docs/plugins.md. */
export async function example(name: string): Promise<string> {
  const docs = await Deno.readTextFile(join(ROOT, "docs/plugins.md"));
  const blocks = docs.matchAll(/^```ts\n(.*?)^```$/gms);
  const found = [...blocks].find(([, code]) =>
    code?.includes(`name: "${name}"`)
  );
  assert(found?.[1], `docs/plugins.md has no plugin ${name}`);
  return found[1];
}

/** Bundles a plugin as its author would; gives the text of the one file. */
export async function bundle(code: string): Promise<string> {
  // In the tree, so that zod and the types of mm are found as in an author's project.
  const cache = join(ROOT, ".cache");
  await Deno.mkdir(cache, { recursive: true });
  const dir = await Deno.makeTempDir({ dir: cache, prefix: "plugin-" });
  try {
    const file = join(dir, "plugin.ts");
    await Deno.writeTextFile(file, code);
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "bundle",
        "--quiet",
        "--external",
        "mm",
        "-o",
        `${dir}/x.js`,
        file,
      ],
      cwd: ROOT,
    }).output();
    assert(success, new TextDecoder().decode(stderr));
    return await Deno.readTextFile(`${dir}/x.js`);
  } finally {
    await removeDir(dir);
  }
}

let shelf: Promise<Plugin> | undefined;

/** The example store, bundled and imported as mm would, with its data in `dir`. */
export async function openShelf(dir: string): Promise<Store> {
  const plugin = await (shelf ??= importExample("shelf"));
  assert(plugin.kind === "store");
  return await plugin.open({ path: "shelf.db" }, {
    project: dir,
    env: () => undefined,
    version: "0",
    commands: [],
    now: () => new Date(),
  });
}

async function importExample(name: string): Promise<Plugin> {
  const file = await Deno.makeTempFile({ suffix: ".js" });
  await Deno.writeTextFile(file, await bundle(await example(name)));
  const { plugin } = await import(pathToFileURL(file).href);
  await Deno.remove(file);
  return plugin;
}
