import { resolve } from "node:path";
import { ConfigError } from "../../../core/error.ts";
import { errorCode, systemReason } from "../../../core/system_error.ts";
import { sha256 } from "./sha256.ts";

/** A plugin's code, not yet run. */
export interface Module {
  /** As in agent.yaml. */
  readonly name: string;
  /** The SHA-256 of the code: what is trusted. */
  readonly hash: string;
  /** Gives the code itself; of an npm package it may have to be fetched. */
  bytes(): Promise<Uint8Array>;
}

/** The same for a name of agent.yaml: the error says how to do without it. */
export async function findNamed(
  name: string,
  project: string,
): Promise<Module> {
  try {
    return await findModule(name, project);
  } catch (error) {
    throw error instanceof ConfigError ? withoutIt(name, error) : error;
  }
}

/** An error about a plugin of agent.yaml, and the way out. */
export function withoutIt(name: string, error: ConfigError): ConfigError {
  return new ConfigError(
    `${error.message}; mm plugin remove ${name} does without it`,
    { cause: error },
  );
}

/** Finds the code a name leads to. Runs nothing. Throws ConfigErrors. */
export async function findModule(
  name: string,
  project: string,
): Promise<Module> {
  if (name.startsWith("npm:")) {
    const { lockedModule } = await import("./npm/locked.ts");
    return await lockedModule(name, project);
  }
  const bytes = await readModule(name, project);
  return { name, hash: sha256(bytes), bytes: () => Promise.resolve(bytes) };
}

async function readModule(name: string, project: string): Promise<Uint8Array> {
  checkName(name);
  const path = resolve(project, name);
  const cannot = (why: string) =>
    new ConfigError(`Cannot use plugin "${name}": ${why}`);
  try {
    // A pipe or a device might never end.
    const { isFile, size } = await Deno.stat(path);
    if (!isFile) throw cannot("it is not a file");
    if (size > MAX_BYTES) throw cannot("it is larger than 16 MiB");
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw cannot(
      errorCode(error) === "ENOENT"
        ? `there is no file ${path}`
        : systemReason(error),
    );
  }
}

function checkName(name: string): void {
  const cannot = (why: string) =>
    new ConfigError(`Cannot use plugin "${name}": ${why}`);
  if (/^[a-z][\w+.-]+:/i.test(name)) {
    throw cannot(
      "it is neither a path nor npm:<package>; download it, read it, and name its path",
    );
  }
  if (name.startsWith("~")) throw cannot("write its path without the ~");
  if (/\.[mc]?ts$/i.test(name)) {
    const js = name.replace(/\.[mc]?ts$/i, ".js");
    throw cannot(
      `mm takes JavaScript; bundle it by deno bundle --external mm -o ${js} ${name}, and name ${js}`,
    );
  }
  if (!/\.m?js$/i.test(name)) {
    throw cannot("expected an ES module whose name ends in .js");
  }
}

const MAX_BYTES = 16 * 1024 ** 2;
