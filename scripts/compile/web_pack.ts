import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { webFiles } from "../../facades/remote/web_build.ts";

/** The module that builds the web page, which a binary cannot do. */
export const WEB_BUILD = url("facades/remote/web_build.ts");

/**
 * Builds the web page and writes a module that has the result, with the
 * exports of the one that builds it. Returns its URL.
 */
export async function writeWebPack(dir: string): Promise<string> {
  const files = [...await webFiles()].map(([path, { body, packed, type }]) =>
    [path, type, (packed ?? body).toBase64(), packed !== undefined] as const
  );
  const file = join(dir, "web_pack.ts");
  await Deno.writeTextFile(
    file,
    `const files: [string, string, string, boolean][] = ${
      JSON.stringify(files)
    };
export async function webFiles() {
  return new Map(await Promise.all(files.map(async ([path, type, text, isPacked]) => {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    if (!isPacked) return [path, { body: bytes, type }];
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const body = new Uint8Array(await new Response(stream).arrayBuffer());
    return [path, { body, packed: bytes, type }];
  })));
}
`,
  );
  return url(file);
}

function url(path: string): string {
  return pathToFileURL(resolve(path)).href;
}
