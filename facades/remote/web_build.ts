import { join } from "node:path";

/** A file of the web page. */
export interface WebFile {
  readonly body: Uint8Array<ArrayBuffer>;
  /** The same in gzip, where that is shorter. */
  readonly packed?: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

const HTML = "text/html; charset=utf-8";
const CSS = "text/css; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

/** What is served as it stands in `web/`. */
const STATIC: Readonly<Record<string, readonly [file: string, type: string]>> =
  {
    "/": ["index.html", HTML],
    "/manifest.webmanifest": [
      "manifest.webmanifest",
      "application/manifest+json",
    ],
    "/icon.svg": ["icons/icon.svg", "image/svg+xml"],
    "/icon-180.png": ["icons/icon-180.png", "image/png"],
    "/icon-192.png": ["icons/icon-192.png", "image/png"],
    "/icon-512.png": ["icons/icon-512.png", "image/png"],
    "/icon-maskable.png": ["icons/icon-maskable.png", "image/png"],
  };

/**
 * The web page from its sources, in less than a second. When mm is compiled
 * this module is left out, and one with its result stands in its place.
 */
export async function webFiles(): Promise<ReadonlyMap<string, WebFile>> {
  const web = join(import.meta.dirname ?? "", "web");
  const [app, css, worker, ...rest] = await Promise.all([
    script(join(web, "main.tsx")),
    styles(join(web, "styles")),
    Deno.readTextFile(join(web, "sw.js")),
    ...Object.entries(STATIC).map(async ([path, [file, type]]) => {
      return [path, { body: await Deno.readFile(join(web, file)), type }];
    }) as Promise<[string, WebFile]>[],
  ]);
  const files = new Map<string, WebFile>([
    ...rest,
    ["/app.js", { body: app, type: SCRIPT }],
    ["/app.css", { body: bytes(css), type: CSS }],
  ]);
  // A worker whose text did not change is not installed again.
  const text = worker.replace("__VERSION__", await digest(files));
  files.set("/sw.js", { body: bytes(text), type: SCRIPT });
  return new Map(await Promise.all([...files].map(pack)));
}

// What was packed before, as pictures are, is not worth it.
async function pack(
  [path, { body, type }]: [string, WebFile],
): Promise<[string, WebFile]> {
  if (type === "image/png") return [path, { body, type }];
  const stream = new Blob([body]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  return [path, { body, packed, type }];
}

async function script(entry: string): Promise<Uint8Array<ArrayBuffer>> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "bundle",
      "--quiet",
      "--platform=browser",
      "--minify",
      `--config=${join(entry, "../../../../deno.json")}`,
      entry,
    ],
    stdin: "null",
    env: { NO_COLOR: "1" },
  }).output();
  if (success) return stdout;
  throw new Error(
    `Cannot bundle the web page: ${new TextDecoder().decode(stderr).trim()}`,
  );
}

// The names give the order: what comes later wins.
async function styles(dir: string): Promise<string> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(dir)) names.push(name);
  const texts = names.sort().map((name) => Deno.readTextFile(join(dir, name)));
  return (await Promise.all(texts)).join("\n")
    .replaceAll(/\/\*[^]*?\*\/|^\s+/gm, "");
}

async function digest(files: ReadonlyMap<string, WebFile>): Promise<string> {
  const blob = new Blob([...files.values()].map(({ body }) => body));
  const hash = await crypto.subtle.digest("SHA-256", await blob.arrayBuffer());
  return new Uint8Array(hash).toHex().slice(0, 16);
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
