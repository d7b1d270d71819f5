import { pathToFileURL } from "node:url";
import { ConfigError, errorLine } from "../../../core/error.ts";
import type { Plugin, PluginTable } from "../../../core/plugin.ts";
import { soon } from "../../../core/soon.ts";
import { rememberCode } from "./blame.ts";
import { broken, BrokenPluginError } from "./broken.ts";
import { guarded, type OpenOptions } from "./guarded.ts";
import { findNamed, type Module, withoutIt } from "./module.ts";
import { keepStdout } from "./quiet.ts";
import { exportProblem } from "./shape.ts";
import { NOT_DONE, PATIENCE_MS, trialProblem } from "./trial.ts";
import { trustedFile } from "./trusted.ts";

/** What a plugin from outside is loaded for. */
export interface LoadOptions extends OpenOptions {
  /** Paths start here. */
  readonly project: string;
  /** Their names are taken. */
  readonly builtIn: PluginTable;
}

/**
 * Imports a plugin from outside, when the user trusts exactly this code.
 * Throws a ConfigError: a BrokenPluginError when the fault is the plugin's.
 */
export async function loadExternal(
  name: string,
  options: LoadOptions,
): Promise<Plugin> {
  return await loadModule(await findNamed(name, options.project), options);
}

/** The same for a plugin that mm cannot go on without: the error says how the user can. */
export async function loadNeeded(
  name: string,
  options: LoadOptions,
): Promise<Plugin> {
  try {
    return await loadExternal(name, options);
  } catch (error) {
    throw error instanceof BrokenPluginError ? withoutIt(name, error) : error;
  }
}

/** The same for code that was found before. */
export async function loadModule(
  module: Module,
  { builtIn, ...how }: Omit<LoadOptions, "project">,
): Promise<Plugin> {
  const { name } = module;
  const file = await trustedFile(module.hash);
  if (file === undefined) throw untrusted(module);
  const url = pathToFileURL(file).href;
  const fault = await trialProblem(module.hash, url);
  if (fault) throw broken(name, fault);
  keepStdout();
  rememberCode(url, name);
  const exported = await run(name, url);
  const plugin = exported.plugin ?? exported.default;
  const wrong = exportProblem(plugin);
  if (wrong) throw broken(name, wrong);
  const made = plugin as Plugin;
  if (Object.hasOwn(builtIn, made.name)) {
    throw broken(
      name,
      `it calls itself "${made.name}", the name of a built-in plugin`,
    );
  }
  return guarded(name, made, how);
}

function untrusted({ name, hash }: Module): ConfigError {
  return new ConfigError(
    `Cannot use plugin "${name}": you have not trusted this version of it (sha256 ${hash}); read it, then run mm plugin trust ${name}`,
  );
}

type Exported = Readonly<Record<string, unknown>>;

async function run(name: string, url: string): Promise<Exported> {
  try {
    const exported = await soon(import(url) as Promise<Exported>, PATIENCE_MS);
    if (exported !== "late") return exported;
  } catch (error) {
    throw broken(name, importProblem(errorLine(error), url), error);
  }
  throw broken(name, NOT_DONE);
}

function importProblem(line: string, url: string): string {
  const said = line.replaceAll(` at ${url}`, "").replaceAll(url, "it");
  return /Module not found|not a dependency|not prefixed|Cannot find module|Unable to load|Could not find constraint/i
      .test(line)
    ? `it is not self-contained (${said}); bundle it by deno bundle --external mm`
    : `importing it failed: ${said}`;
}
