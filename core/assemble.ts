import { Agent } from "./agent.ts";
import type { ApprovalMode } from "./approval.ts";
import { type NamedBundle, withoutClashes } from "./clashes.ts";
import { type Compactor, summarizer } from "./compaction.ts";
import {
  checkOptions,
  type Config,
  configMessage,
  type ConfigSource,
  NO_SOURCE,
  parseUse,
  type Use,
} from "./config.ts";
import { ConfigError } from "./error.ts";
import type { Model } from "./model.ts";
import { nearest } from "./nearest.ts";
import type {
  Bundle,
  BundlePlugin,
  CompactorPlugin,
  ModelPlugin,
  Plugin,
  PluginHost,
  PluginTable,
  Schema,
  StorePlugin,
} from "./plugin.ts";
import type { Store } from "./store.ts";
import type { Tool } from "./tool.ts";

/** What `assemble` builds an agent from. */
export interface Parts {
  readonly config: Config;
  readonly source?: ConfigSource;
  readonly plugins: PluginTable;
  readonly host: PluginHost;
  /** The folder conversations are about; default: the project. */
  readonly cwd?: string;
  readonly instructions?: string;
  /** Overrides `approvals.mode`. */
  readonly mode?: ApprovalMode;
  /** Told what a listener of a session threw. Default: nobody but its other listeners. */
  readonly broken?: (error: unknown) => void;
  /** Told, a line each, what is left out of the plugins. Default: a ConfigError instead. */
  readonly leftOut?: (line: string) => void;
}

/** The bundles every agent has, whatever agent.yaml lists. */
export const STANDARD: readonly string[] = ["coding", "mcp"];

/** Opens the plugins a configuration names and makes an agent of them. Throws ConfigErrors. */
export async function assemble(parts: Parts): Promise<Agent> {
  const { config, host, instructions, cwd = host.project, mode } = parts;
  const { leftOut = refuse } = parts;
  const [model, compactor, opened] = await Promise.all([
    openModel(parts),
    openCompactor(parts),
    openBundles(parts),
  ]);
  const off = new Set(config.tools.off);
  const bundles = withoutClashes(opened, leftOut)
    .map((bundle) => ({ ...bundle, ...without(bundle, off) }));
  // Last, for it is the one that must be closed: nothing can fail after it.
  const store = await openStore(parts);
  return new Agent({
    cwd,
    model,
    openModel: (name) => openModel(parts, name),
    ...(store && { store }),
    bundles,
    compactor,
    compaction: config.compaction,
    titles: config.titles,
    mode: mode ?? config.approvals.mode,
    maxRounds: config.tools.maxRounds,
    ...(config.prompt !== undefined && { prompt: config.prompt }),
    ...(instructions && { instructions }),
    ...(parts.broken && { broken: parts.broken }),
    now: host.now,
  });
}

function refuse(line: string): never {
  throw new ConfigError(line);
}

/** A bundle without the tools that are off, those of its servers included. */
function without({ tools = [], serve }: Bundle, off: Set<string>): Bundle {
  const on = (all: readonly Tool[]) => all.filter((t) => !off.has(t.name));
  return {
    tools: on(tools),
    ...(serve && {
      async serve(request, signal) {
        const served = await serve(request, signal);
        return {
          // Asked anew each time: a server may change its list.
          get tools() {
            return on(served.tools);
          },
          problems: served.problems,
          [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
        };
      },
    }),
  };
}

/** Opens the configured model, or the same server's model `name`. */
export async function openModel(parts: Parts, name?: string): Promise<Model> {
  const use = parts.config.model ?? "demo";
  const { plugin, options } = await find<ModelPlugin>(
    parts,
    "model",
    use,
    ["model"],
  );
  const named = name === undefined ? options : { ...options, name };
  return await open(parts, plugin, named, ["model"]);
}

/** Opens the configured store; undefined when sessions are disabled. */
export async function openStore(parts: Parts): Promise<Store | undefined> {
  const { enabled, store: use } = parts.config.sessions;
  if (!enabled) return undefined;
  const path = ["sessions", "store"];
  const { plugin, options } = await find<StorePlugin>(
    parts,
    "store",
    use,
    path,
  );
  return await open(parts, plugin, options, path);
}

/** Opens the configured compactor. */
export async function openCompactor(parts: Parts): Promise<Compactor> {
  const { use } = parts.config.compaction;
  if (use === summarizer.name) return summarizer;
  const path = ["compaction", "use"];
  const { plugin } = await find<CompactorPlugin>(parts, "compactor", use, path);
  return await open(parts, plugin, {}, path);
}

/** Opens the bundles: those of every agent, and those that are listed. */
export async function openBundles(parts: Parts): Promise<NamedBundle[]> {
  return await Promise.all(
    bundleUses(parts).map(async ({ use, path }) => {
      const found = await find<BundlePlugin>(parts, "plugin", use, path);
      const bundle = await open(parts, found.plugin, found.options, path);
      return { name: parseUse(use).name, bundle };
    }),
  );
}

/** Opens a plugin with checked options; what it finds wrong with them is told with their place. */
async function open<T>(
  { host, source = NO_SOURCE }: Parts,
  plugin: {
    readonly options: Schema;
    open(options: unknown, host: PluginHost): T | Promise<T>;
  },
  options: unknown,
  path: readonly PropertyKey[],
): Promise<T> {
  const checked = checkOptions(plugin.options, options, path, source);
  try {
    return await plugin.open(checked, host);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(configMessage(source, path, error.message), {
      cause: error,
    });
  }
}

/** The bundles to open, each with the place of its options in agent.yaml. */
function bundleUses(
  { config, plugins, source = NO_SOURCE }: Parts,
): { use: Use; path: PropertyKey[] }[] {
  const listed = config.plugins.map((use, i) => ({
    use,
    path: ["plugins", i],
  }));
  const named = new Set(listed.map(({ use }) => parseUse(use).name));
  if (config.mcp && named.has("mcp")) {
    const twice = "its servers stand under plugins too: keep one of the two";
    throw new ConfigError(configMessage(source, ["mcp"], twice));
  }
  const standard = STANDARD.filter((n) => !named.has(n) && plugins[n]).map(
    (name) =>
      name === "mcp" && config.mcp
        ? { use: { ...config.mcp, use: name }, path: ["mcp"] }
        : { use: name, path: ["plugins"] },
  );
  return [...standard, ...listed];
}

async function find<P extends Plugin>(
  { plugins, source = NO_SOURCE }: Parts,
  kind: P["kind"],
  use: Use,
  path: readonly PropertyKey[],
): Promise<{ plugin: P; options: Readonly<Record<string, unknown>> }> {
  const { name, options } = parseUse(use);
  const where = typeof use === "string" ? path : [...path, "use"];
  const load = Object.hasOwn(plugins, name) ? plugins[name] : undefined;
  const plugin = await load?.();
  if (plugin?.kind === kind) return { plugin: plugin as P, options };
  const what = plugin
    ? `"${name}" is a ${plugin.kind}, not a ${kind}`
    : `there is no plugin "${name}"`;
  const way = wayOut(name, await namesOf(plugins, kind));
  throw new ConfigError(configMessage(source, where, `${what}: ${way}`));
}

function wayOut(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return near ? `did you mean "${near}"?` : `choose one of ${names.join(", ")}`;
}

// One that cannot be loaded is no choice.
async function namesOf(
  plugins: PluginTable,
  kind: Plugin["kind"],
): Promise<readonly string[]> {
  const own = kind === "compactor" ? [summarizer.name] : [];
  const others = await Promise.all(
    Object.entries(plugins).map(async ([name, load]) => {
      const plugin = await load?.().catch(() => undefined);
      return plugin?.kind === kind ? [name] : [];
    }),
  );
  return [...own, ...others.flat()];
}
