import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { lazySdk, SDK } from "./lazy_sdk.ts";
import { prebundle } from "./prebundle.ts";
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
    // yaml serves CommonJS to Deno and ES modules to browsers. The latter load in
    // 8 ms instead of 18; for other packages "browser" would be the wrong choice.
    yaml: url(await prebundle(DIR, "yaml", "--platform=browser")),
    [SDK]: url(await lazySdk(DIR)),
    [WEB_BUILD]: await writeWebPack(DIR),
  };
  await Deno.writeTextFile(file, JSON.stringify({ imports: table }));
  return file;
}

function url(path: string): string {
  return pathToFileURL(resolve(path)).href;
}
