import assert from "node:assert/strict";
import { webFile } from "../../../facades/remote/web_files.ts";

async function text(path: string): Promise<string> {
  const file = await webFile(path);
  assert(file, path);
  return new TextDecoder().decode(file.body);
}

Deno.test("webFile has the page and nothing else", async () => {
  assert.equal((await webFile("/"))?.type, "text/html; charset=utf-8");
  assert.equal(
    (await webFile("/app.js"))?.type,
    "text/javascript; charset=utf-8",
  );
  for (
    const path of [
      "",
      "/index.html",
      "/main.tsx",
      "/../wire.ts",
      "/icons/icon.svg",
      "/%2e%2e/wire.ts",
      "//app.js",
      "/app.js/",
      "/constructor",
      "__proto__",
      "/etc/passwd",
    ]
  ) assert.equal(await webFile(path), undefined, path);
});

Deno.test("the page names only files that are there, and has no script or style of its own", async () => {
  const html = await text("/");
  for (const [, path = ""] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
    assert(await webFile(path), path);
  }
  assert.doesNotMatch(
    html,
    /<style|\sstyle=|\son\w+=|<script(?! type="module" src)/,
  );
});

Deno.test("the manifest's icons are there, and as large as it says", async () => {
  const { icons } = JSON.parse(await text("/manifest.webmanifest"));
  for (const { src, sizes, type } of icons) {
    const file = await webFile(src);
    assert(file && file.type === type, src);
    if (type !== "image/png") continue;
    const { buffer, byteOffset } = file.body;
    const header = new DataView(buffer, byteOffset);
    const size = `${header.getUint32(16)}x${header.getUint32(20)}`;
    assert.equal(size, sizes, src);
  }
});

Deno.test("the worker keeps files of the page alone, under a name that tells their version", async () => {
  const worker = await text("/sw.js");
  assert.match(worker, /"mm-[0-9a-f]{16}"/);
  const shell = /SHELL = \[([^\]]+)\]/.exec(worker)?.[1] ?? "";
  const paths = [...shell.matchAll(/"([^"]+)"/g)].map((m) => m[1] ?? "");
  assert(paths.includes("/") && paths.includes("/app.js"));
  for (const path of paths) assert(await webFile(path), path);
});

Deno.test("the page stays small", async () => {
  const { body, packed } = await webFile("/app.js") ?? {};
  assert(body && packed);
  const stream = new Blob([packed]).stream()
    .pipeThrough(new DecompressionStream("gzip"));
  assert.deepEqual(
    new Uint8Array(await new Response(stream).arrayBuffer()),
    body,
  );
  assert(packed.length < 110_000, `${packed.length} bytes, packed`);
});
