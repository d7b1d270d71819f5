import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { reason, run } from "../lib/command.ts";
import { Failure } from "../lib/failure.ts";
import { WEB_BUILD, writeWebPack } from "./web_pack.ts";

const DIR = ".cache/bundle";

/** Writes the imports table that the bundle uses, and returns its path. */
export async function writeImportMap(): Promise<string> {
  const { imports } = JSON.parse(await Deno.readTextFile("deno.json"));
  await Deno.mkdir(DIR, { recursive: true });
  const file = join(DIR, "imports.json");
  const table = {
    ...imports,
    mm: url("mod.ts"),
    yaml: url(await esmYaml()),
    [WEB_BUILD]: await writeWebPack(DIR),
  };
  await Deno.writeTextFile(file, JSON.stringify({ imports: table }));
  return file;
}

// yaml serves CommonJS to Deno and ES modules to browsers. The latter load in
// 8 ms instead of 18; for other packages "browser" would be the wrong choice.
async function esmYaml(): Promise<string> {
  const entry = join(DIR, "yaml_entry.ts");
  const bundled = join(DIR, "yaml.js");
  await Deno.writeTextFile(entry, `export * from "yaml";\n`);
  const outcome = await run(Deno.execPath(), [
    "bundle",
    "--quiet",
    "--config=deno.json",
    "--platform=browser",
    `--output=${bundled}`,
    entry,
  ]);
  if (!outcome.ok) throw new Failure(`Cannot bundle yaml: ${reason(outcome)}`);
  return bundled;
}

function url(path: string): string {
  return pathToFileURL(resolve(path)).href;
}
