import { createHash } from "node:crypto";
import { posix } from "node:path";
import { errorLine, UserError } from "../../../../core/error.ts";
import { sha256 } from "../sha256.ts";
import { authorization } from "./authorization.ts";
import { authorities } from "./certificates.ts";
import { bounded } from "./bounded.ts";
import type { Locked } from "./lock.ts";
import { registry } from "./registry.ts";
import { parseSpec } from "./spec.ts";
import { unreachable } from "./unreachable.ts";
import { untar } from "./untar.ts";

/** A package's code, and what pins it. */
export interface Fetched {
  readonly locked: Locked;
  readonly bytes: Uint8Array;
}

/** Fetches what `npm:name@range` stands for now. Runs nothing. */
export async function fetchPackage(spec: string): Promise<Fetched> {
  const { name, range } = parseSpec(spec);
  using client = await attempt(spec, connect);
  const about = await attempt(spec, () => describe(name, range, client));
  const archive = await attempt(spec, () => download(about.tarball, client));
  return await attempt(
    spec,
    () =>
      unpack(archive, { version: about.version, integrity: about.integrity }),
  );
}

/** Fetches exactly what mm.lock pins, and nothing else. */
export async function fetchLocked(
  spec: string,
  entry: Locked,
): Promise<Uint8Array> {
  const name = spec.slice("npm:".length).replace(/(?<=.)@[^@/]*$/, "");
  const { locked, bytes } = await fetchPackage(`npm:${name}@${entry.version}`);
  if (locked.integrity === entry.integrity && locked.sha256 === entry.sha256) {
    return bytes;
  }
  throw new UserError(
    `Cannot trust plugin "${spec}": version ${entry.version} has another hash than mm.lock records; nothing was run, ask whoever wrote mm.lock`,
  );
}

interface About {
  readonly version: string;
  readonly integrity: string;
  readonly tarball: URL;
}

async function connect(): Promise<Deno.HttpClient> {
  return Deno.createHttpClient({ caCerts: await authorities() });
}

async function describe(
  name: string,
  range: string,
  client: Deno.HttpClient,
): Promise<About> {
  const scope = /^@[^/]+/.exec(name)?.[0];
  const base = await registry(scope);
  const url = new URL(
    `${name.replace("/", "%2f")}/${encodeURIComponent(range)}`,
    base,
  );
  const response = await get(url, 30_000, client);
  if (!response.ok) throw await refused(response, `has no ${name}@${range}`);
  const bytes = await bodyOf(response, MAX_ABOUT, "what is said of it");
  const { version, dist } = JSON.parse(new TextDecoder().decode(bytes));
  const integrity = dist?.integrity;
  if (typeof version !== "string" || !/^sha512-/.test(integrity)) {
    throw new UserError("the registry names no sha512 of it");
  }
  return { version, integrity, tarball: new URL(dist.tarball, base) };
}

async function get(
  url: URL,
  ms: number,
  client: Deno.HttpClient,
): Promise<Response> {
  const headers = await authorization(url);
  try {
    const signal = AbortSignal.timeout(ms);
    return await fetch(url, { client, headers, signal });
  } catch (error) {
    throw unreachable(url, error);
  }
}

// Of what may not be seen many a registry says that it is not there.
async function refused(response: Response, lacks: string): Promise<UserError> {
  await response.body?.cancel();
  const { status } = response;
  const { host } = new URL(response.url);
  const way =
    `put the line //${host}/:_authToken=… into your own .npmrc if it is private`;
  switch (status) {
    case 401:
    case 403:
      return new UserError(`the registry refuses it (${status}): ${way}`);
    case 404:
      return new UserError(`the registry ${lacks}`);
    default:
      return new UserError(`the registry answered ${status}`);
  }
}

async function download(
  url: URL,
  client: Deno.HttpClient,
): Promise<Uint8Array> {
  const response = await get(url, 60_000, client);
  if (!response.ok) throw await refused(response, "has not this archive");
  return await bodyOf(response, MAX_ARCHIVE, "it");
}

async function bodyOf(
  { body }: Response,
  mebibytes: number,
  what: string,
): Promise<Uint8Array> {
  if (!body) return new Uint8Array();
  const problem = `${what} is larger than ${mebibytes} MiB`;
  return await bounded(body, mebibytes * 1024 ** 2, problem);
}

/** In MiB; the longest known description of one version is far below. */
const MAX_ABOUT = 4;
const MAX_ARCHIVE = 64;

async function unpack(
  archive: Uint8Array,
  { version, integrity }: { version: string; integrity: string },
): Promise<Fetched> {
  const hash = createHash("sha512").update(archive).digest("base64");
  if (!integrity.split(/\s+/).includes(`sha512-${hash}`)) {
    throw new UserError(
      "what was downloaded has another hash than the registry says",
    );
  }
  const files = await untar(archive);
  const module = entryOf(files);
  const bytes = files.get(module);
  if (!bytes) {
    throw new UserError(`it has no ES module (${module} is not there)`);
  }
  return {
    locked: { version, integrity, module, sha256: sha256(bytes) },
    bytes,
  };
}

function entryOf(files: ReadonlyMap<string, Uint8Array>): string {
  const text = files.get("package.json");
  const { exports, module, main } = text
    ? JSON.parse(new TextDecoder().decode(text))
    : {};
  const entry = exported(exports?.["."] ?? exports) ?? module ?? main ??
    "index.js";
  return posix.normalize(String(entry)).replace(/^\.?\//, "");
}

function exported(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return undefined;
  const conditions = value as Record<string, unknown>;
  return exported(
    conditions.deno ?? conditions.import ?? conditions.module ??
      conditions.default ?? conditions.node,
  );
}

async function attempt<T>(spec: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new UserError(
      `Cannot fetch "${spec}": ${errorLine(error)}`,
      { cause: error },
    );
  }
}
