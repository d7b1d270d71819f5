import {
  type Config,
  configMessage,
  parseUse,
  type Use,
} from "../../../core/config.ts";
import { ConfigError } from "../../../core/error.ts";
import { isLoopback } from "../../../core/loopback.ts";
import { powerLine } from "../../../core/power_line.ts";
import type { PluginTable } from "../../../core/plugin.ts";
import type { Power } from "../../../core/powers.ts";
import type { Loaded } from "../load_config.ts";

/** How one gets out of it, as the end of a sentence. */
export const WAY_OUT =
  "see and allow it by mm trust, or name the file by --config";

/**
 * A configuration without what only a trusted one may do. What can be left out
 * is; a plugin that would send or write something cannot be opened.
 */
export function hold(config: Config, { trust }: Loaded): Config {
  const { mode } = config.approvals;
  const free = mode === "all" || mode === "edit";
  const secret = trust?.powers.some(({ type }) => type === "prompt");
  return {
    ...config,
    prompt: secret ? undefined : config.prompt,
    sessions: { ...config.sessions, store: keeping(config.sessions.store) },
    mcp: undefined,
    approvals: { mode: free ? "ask" : mode, commands: [] },
    serve: config.serve && servingHere(config.serve),
    plugins: config.plugins.filter((use) => parseUse(use).name !== "mcp"),
  };
}

// What a store removed is gone, though it be trusted later.
function keeping(store: Use): Use {
  if (typeof store === "string") return store;
  const { keepDays: _, ...rest } = store;
  return rest;
}

function servingHere(
  { host, names: _, ...rest }: NonNullable<Config["serve"]>,
): Config["serve"] {
  return host !== undefined && isLoopback(host) ? { ...rest, host } : rest;
}

/** The plugins, but those that `loaded` has no trust to use as it says. */
export function refusing(plugins: PluginTable, loaded: Loaded): PluginTable {
  const refused = (loaded.trust?.powers ?? []).flatMap((power) => {
    const use = "at" in power ? useAt(loaded.config, power.at) : undefined;
    if (use === undefined || !("at" in power)) return [];
    const refuse = () => Promise.reject(refusal(power, loaded));
    return [[parseUse(use).name, refuse] as const];
  });
  return { ...plugins, ...Object.fromEntries(refused) };
}

function refusal(
  power: Power & { readonly at: readonly PropertyKey[] },
  { source }: Loaded,
): ConfigError {
  return new ConfigError(
    configMessage(
      source,
      power.at,
      `it would ${
        powerLine(power)
      }, and you have not trusted it with that: ${WAY_OUT}`,
    ),
  );
}

function useAt(
  { model, sessions, plugins }: Config,
  [key, place]: readonly PropertyKey[],
): Use | undefined {
  switch (key) {
    case "model":
      return model;
    case "sessions":
      return sessions.store;
    default:
      return plugins[Number(place)];
  }
}
