import { pathToFileURL } from "node:url";
import { ConfigError, errorLine, UserError } from "../../../core/error.ts";
import type { Plugin, PluginTable } from "../../../core/plugin.ts";
import { findModule, type Module } from "./module.ts";
import { shapeProblem, versionProblem } from "./shape.ts";
import { ends, PATIENCE_MS } from "./trial.ts";
import { trustedFile } from "./trusted.ts";

/** A trusted plugin that does not work: mm can do without it. */
export class BrokenPluginError extends ConfigError {}

/** What a plugin from outside is loaded for. */
export interface LoadOptions {
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
  return await loadModule(await findModule(name, options.project), options);
}

/** The same for code that was found before. */
export async function loadModule(
  module: Module,
  { builtIn }: Pick<LoadOptions, "builtIn">,
): Promise<Plugin> {
  const { name } = module;
  const file = await trustedFile(module.hash);
  if (file === undefined) throw untrusted(module);
  const url = pathToFileURL(file).href;
  if (!await ends(module.hash, url)) throw broken(name, NOT_DONE);
  const exported = await run(name, url);
  const plugin = exported.plugin ?? exported.default;
  const wrong = versionProblem(plugin) ?? shapeProblem(plugin);
  if (wrong) throw broken(name, wrong);
  const made = plugin as Plugin;
  if (Object.hasOwn(builtIn, made.name)) {
    throw broken(
      name,
      `it calls itself "${made.name}", the name of a built-in plugin`,
    );
  }
  return guarded(name, made);
}

function untrusted({ name, hash }: Module): ConfigError {
  return new ConfigError(
    `Cannot use plugin "${name}": you have not trusted this version of it (sha256 ${hash}); read it, then run mm plugin trust ${name}`,
  );
}

function broken(name: string, why: string, cause?: unknown): ConfigError {
  return new BrokenPluginError(
    `Cannot use plugin "${name}": ${why}`,
    cause === undefined ? {} : { cause },
  );
}

type Exported = Readonly<Record<string, unknown>>;

async function run(name: string, url: string): Promise<Exported> {
  const { promise, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(() => resolve("late"), PATIENCE_MS);
  try {
    const exported = await Promise.race([
      import(url) as Promise<Exported>,
      promise,
    ]);
    if (exported !== "late") return exported;
  } catch (error) {
    throw broken(name, importProblem(errorLine(error), url), error);
  } finally {
    clearTimeout(timer);
  }
  throw broken(name, NOT_DONE);
}

const NOT_DONE = `it is not done importing after ${PATIENCE_MS / 1000} s`;

function importProblem(line: string, url: string): string {
  const said = line.replaceAll(` at ${url}`, "").replaceAll(url, "it");
  return /Module not found|not a dependency|not prefixed|Cannot find module|Unable to load/i
      .test(line)
    ? `it is not self-contained (${said}); bundle it by deno bundle --external mm`
    : `importing it failed: ${said}`;
}

// What a plugin throws when it starts is its fault, not mm's.
function guarded(name: string, plugin: Plugin): Plugin {
  if (plugin.kind === "facade") return plugin;
  const open = async (options: never, host: never) => {
    try {
      return await plugin.open(options, host);
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw broken(name, `starting it failed: ${errorLine(error)}`, error);
    }
  };
  return { ...plugin, open } as unknown as Plugin;
}
