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
  const files = [...await webFiles()].map(([path, { body, type }]) =>
    [path, type, body.toBase64()] as const
  );
  const file = join(dir, "web_pack.ts");
  await Deno.writeTextFile(
    file,
    `const files: [string, string, string][] = ${JSON.stringify(files)};
export function webFiles() {
  return new Map(files.map(([path, type, body]) => {
    const bytes = Uint8Array.from(atob(body), (c) => c.charCodeAt(0));
    return [path, { body: bytes, type }];
  }));
}
`,
  );
  return url(file);
}

function url(path: string): string {
  return pathToFileURL(resolve(path)).href;
}
