import { join, relative } from "node:path";
import {
  checkConfig,
  type Config,
  type ConfigSource,
  NO_SOURCE,
} from "../../core/config.ts";
import type { ConfigFile } from "../../core/config_file.ts";
import { ConfigError } from "../../core/error.ts";
import type { Power } from "../../core/powers.ts";
import { builtIn } from "../../plugins/table.ts";
import { CONFIG_NAME, homeFolder, type Place } from "./place.ts";
import { readText } from "./read_text.ts";

/** A configuration, and where it came from. */
export interface Loaded {
  readonly config: Config;
  readonly source: ConfigSource;
  /** Absent when there is no file: all defaults. */
  readonly file?: string;
  /** Of a file found in a project. What the user named or keeps for all projects is decided by that. */
  readonly trust?: Trust;
}

/** What a project's file may do only when the user trusts it with that, and whether the user does. */
export interface Trust {
  readonly powers: readonly Power[];
  readonly given: boolean;
}

/**
 * Reads the first there is of: `--config`, $MM_CONFIG, the project's
 * agent.yaml, the user's own. Throws a ConfigError.
 */
export async function loadConfig(
  place: Place,
  named: string | undefined,
): Promise<Loaded> {
  const env = Deno.env.get("MM_CONFIG") || undefined;
  const asked = named ?? env;
  if (asked !== undefined) {
    const by = named === undefined ? " (from MM_CONFIG)" : "";
    return decided(await load(asked, { by }));
  }
  if (place.file !== undefined) {
    await checkOwner(place.file, place.cwd);
    const file = shown(place.file, place.cwd);
    const { written, ...loaded } = await load(file, { path: place.file });
    return { ...loaded, trust: await trustIn(written, place.project) };
  }
  const own = userConfig();
  if (own !== undefined && await isThere(own)) return decided(await load(own));
  return { config: checkConfig({}), source: NO_SOURCE };
}

/** The trust a project's file has, by its values as they are written. */
export async function trustIn(
  written: unknown,
  project: string,
): Promise<Trust> {
  const { powersOf } = await import("../../core/powers.ts");
  const powers = powersOf(written, builtIn);
  if (powers.length === 0) return { powers, given: true };
  const { isTrusted } = await import("./trust/trusted.ts");
  return { powers, given: await isTrusted(project, powers) };
}

function decided({ written: _, ...loaded }: Read): Loaded {
  return loaded;
}

/** Where the user's own configuration lives; undefined without a home. */
export function userConfig(): string | undefined {
  const home = homeFolder();
  const folder = Deno.env.get("XDG_CONFIG_HOME") || Deno.env.get("APPDATA") ||
    (home && join(home, ".config"));
  return folder ? join(folder, "mm", CONFIG_NAME) : undefined;
}

// `file` is what is shown; the process may be in another folder than the place.
async function load(
  file: string,
  { path = file, by = "" }: { path?: string; by?: string } = {},
): Promise<Read> {
  // Begun before the file is read, for they take about as long.
  const reader = import("../../core/config_file.ts");
  const [read, { readConfig }] = await Promise.all([
    readText(path, MAX_BYTES),
    reader,
  ]);
  if ("problem" in read) {
    throw new ConfigError(`Cannot read ${file}${by}: ${read.problem}`);
  }
  if (read.cut) {
    throw new ConfigError(
      `Cannot read ${file}${by}: it is larger than 256 KiB`,
    );
  }
  return { ...readConfig(read.text, file, (name) => Deno.env.get(name)), file };
}

type Read = ConfigFile & { readonly file: string };

const MAX_BYTES = 256 * 1024;

/** A path as short as it can be written from `cwd`. */
export function shown(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short.startsWith("..") || short === "" ? path : short;
}

// Whoever may write to a folder above (/tmp is everybody's) could set the
// server that is asked and let every command run. Who goes there, agrees.
async function checkOwner(file: string, cwd: string): Promise<void> {
  if (Deno.build.os === "windows" || shown(file, cwd) === CONFIG_NAME) return;
  const { uid } = await Deno.lstat(file);
  if (uid === null || uid === 0 || uid === Deno.uid()) return;
  throw new ConfigError(
    `Cannot trust ${file}: it belongs to another user; name it by --config if you do`,
  );
}

async function isThere(path: string): Promise<boolean> {
  const read = await readText(path, 0);
  return !("problem" in read && read.missing);
}
