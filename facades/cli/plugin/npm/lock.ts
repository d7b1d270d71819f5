import { join } from "node:path";
import { ConfigError } from "../../../../core/error.ts";
import { systemFailure } from "../../../../core/system_error.ts";
import { writeWhole } from "../../write_whole.ts";

/** Which code an npm package stands for in this project. */
export interface Locked {
  readonly version: string;
  /** Of the package, as npm gives it: sha512-… */
  readonly integrity: string;
  /** The file inside the package. */
  readonly module: string;
  /** Of that file, in hexadecimal. */
  readonly sha256: string;
}

/** What mm.lock holds: by the names in agent.yaml. */
export type Lock = Readonly<Record<string, Locked>>;

/** Reads mm.lock; empty when there is none. Throws a ConfigError. */
export async function readLock(project: string): Promise<Lock> {
  const file = join(project, LOCK_NAME);
  let text: string;
  try {
    text = await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw systemFailure(`read ${file}`, error);
  }
  const plugins = parse(text);
  if (plugins) return plugins;
  throw new ConfigError(
    `Cannot read ${LOCK_NAME}: it is damaged; remove it and run mm plugin add again`,
  );
}

/** Changes mm.lock; with nothing left in it, it goes. */
export async function writeLock(project: string, lock: Lock): Promise<void> {
  const file = join(project, LOCK_NAME);
  const names = Object.keys(lock).sort();
  if (names.length === 0) return await Deno.remove(file);
  const plugins = Object.fromEntries(names.map((name) => [name, lock[name]]));
  const text = JSON.stringify({ version: 1, plugins }, null, 2) + "\n";
  try {
    await writeWhole(file, text);
  } catch (error) {
    throw systemFailure(`write ${file}`, error);
  }
}

/** How it is called in a project. */
export const LOCK_NAME = "mm.lock";

function parse(text: string): Lock | undefined {
  try {
    const { version, plugins } = JSON.parse(text);
    const all = Object.values(plugins as Lock);
    const good = version === 1 &&
      all.every((entry) =>
        FIELDS.every((field) => typeof entry[field] === "string") &&
        /^[0-9a-f]{64}$/.test(entry.sha256)
      );
    return good ? plugins : undefined;
  } catch {
    return undefined; // told by the caller
  }
}

const FIELDS = ["version", "integrity", "module", "sha256"] as const;
