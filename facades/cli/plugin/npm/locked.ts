import { ConfigError } from "../../../../core/error.ts";
import type { Module } from "../module.ts";
import { readLock } from "./lock.ts";
import { parseSpec } from "./spec.ts";

/** The code of an npm package as mm.lock pins it; it is fetched when it is asked for. */
export async function lockedModule(
  name: string,
  project: string,
): Promise<Module> {
  parseSpec(name);
  const lock = await readLock(project);
  const entry = Object.hasOwn(lock, name) ? lock[name] : undefined;
  if (!entry) {
    throw new ConfigError(
      `Cannot use plugin "${name}": mm.lock does not say which version; run mm plugin add ${name}`,
    );
  }
  return {
    name,
    hash: entry.sha256,
    async bytes() {
      const { fetchLocked } = await import("./fetch.ts");
      return await fetchLocked(name, entry);
    },
  };
}
