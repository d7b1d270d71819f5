import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { lazyRequire } from "../../scripts/compile/lazy_require.ts";
import { npmRuntime, type Source } from "../../scripts/compile/npm_runtime.ts";
import { readOptions, TARGETS } from "../../scripts/compile/options.ts";
import { removeDir, TempDir } from "../temp_dir.ts";

Deno.test("readOptions() builds dist/mm with Deno's own runtime by default", () => {
  assert.deepEqual(readOptions([]), {
    entry: "facades/cli/main.ts",
    output: "dist/mm",
    runtime: "deno",
  });
});

Deno.test("readOptions() names the binary after each target", () => {
  for (const target of TARGETS) {
    const options = readOptions([`--target=${target}`]);
    assert.ok(options !== "help" && options.output === `dist/mm-${target}`);
  }
});

Deno.test("readOptions() says in one sentence what is wrong and what is right", () => {
  const mistakes: [string, RegExp][] = [
    [
      "--nope",
      /^Cannot read the options: Unknown option "--nope": see --help$/,
    ],
    ["file.ts", /^Cannot read the options: .*"file.ts": see --help$/],
    ["--runtime=x", /^Cannot use runtime "x": choose "deno" or "npm"$/],
    ["--target=x", /^Cannot build for "x": choose one of x86_64-/],
  ];
  for (const [arg, message] of mistakes) {
    assert.throws(() => readOptions([arg]), { message });
  }
});

Deno.test("lazyRequire() has bundled code make its require when it is called", async () => {
  const code =
    'import{createRequire as make} from "node:module";var m=make(import.meta.url);export{m as a};';
  const lazy = lazyRequire(code);
  assert.doesNotMatch(lazy, /import\s*\{/);
  await using dir = await TempDir.make();
  const file = join(dir.path, "chunk.js");
  await Deno.writeTextFile(file, lazy);
  const { a } = await import(`file://${file}`);
  assert.equal(a("node:path").posix.sep, "/");
  const other = 'import{readFile}from"node:fs";';
  assert.equal(lazyRequire(other), other);
});

Deno.test("npmRuntime() cuts the runtime out of the cached package", async () => {
  await using pack = await packed("runtime and program");
  const { cache, source } = pack;
  const file = await npmRuntime(LINUX, cache, source);
  assert.equal(await Deno.readTextFile(file), "runtime");
  assert.equal((await Deno.stat(file)).mode! & 0o777, 0o755);
});

Deno.test("npmRuntime() refuses a package that holds another runtime", async () => {
  await using pack = await packed("tampered and program");
  const { cache, source } = pack;
  await assert.rejects(npmRuntime(LINUX, cache, source), {
    message: /^Cannot trust the runtime: its hash is not the pinned one/,
  });
});

Deno.test("npmRuntime() replaces a cached runtime that was altered", async () => {
  await using pack = await packed("runtime and program");
  const { cache, source } = pack;
  const file = await npmRuntime(LINUX, cache, source);
  await Deno.writeTextFile(file, "altered");
  await npmRuntime(LINUX, cache, source);
  assert.equal(await Deno.readTextFile(file), "runtime");
});

Deno.test("npmRuntime() serves x86_64 Linux only", async () => {
  await assert.rejects(npmRuntime("aarch64-apple-darwin"), {
    message: /^Cannot build for "aarch64-apple-darwin" with --runtime=npm/,
  });
});

const LINUX = "x86_64-unknown-linux-gnu";

// A package in the cache whose pinned runtime is the word "runtime".
async function packed(program: string) {
  const dir = await TempDir.make();
  const cache = dir.path;
  await Deno.mkdir(join(cache, "package"));
  await Deno.writeTextFile(join(cache, "package", "program"), program);
  const tar = new Deno.Command("tar", {
    args: ["-czf", "pack.tgz", "package/program"],
    cwd: cache,
  });
  await tar.output();
  const tarball = await Deno.readFile(join(cache, "pack.tgz"));
  const source: Source = {
    package: "pack@1.0.0",
    tarball: "pack.tgz",
    integrity: createHash("sha512").update(tarball).digest("base64"),
    member: "package/program",
    bytes: "runtime".length,
    sha256: createHash("sha256").update("runtime").digest("hex"),
  };
  return { cache, source, [Symbol.asyncDispose]: () => removeDir(cache) };
}
