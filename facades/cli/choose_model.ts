import { type Config, parseUse, type Use } from "../../core/config.ts";
import { ADDRESS_FORM, parseAddress } from "../../core/http/address.ts";
import { type Flags, modelName } from "./flags.ts";
import { UsageError } from "./usage_error.ts";

/** A configuration whose model is decided, and what to tell about it. */
export interface Choice {
  readonly config: Config;
  /** Whether it is the configuration's own, by whatever name. */
  readonly configured: boolean;
  readonly notices: readonly string[];
}

/**
 * Decides which model is used: the flags over the configuration, and where
 * neither says, a server on this machine, else the demo model.
 */
export async function chooseModel(
  config: Config,
  flags: Flags,
): Promise<Choice> {
  const name = modelName(flags);
  const { baseUrl: baseURL } = flags;
  const { name: plugin, options } = parseUse(config.model ?? DEMO);
  const chosen = (model: Config["model"], ...notices: string[]) => ({
    config: { ...config, model },
    configured: false,
    notices,
  });
  const kept = (model: Use) => ({ ...chosen(model), configured: true });
  if (baseURL !== undefined) {
    checkAddress(baseURL);
    // Nothing more of the configuration: its key is not for another server.
    const use = plugin === DEMO ? "openai" : plugin;
    return chosen({ use, baseURL, ...(name !== undefined && { name }) });
  }
  if (name === DEMO) return chosen(DEMO);
  if (name !== undefined && plugin !== DEMO) {
    return kept({ ...options, use: plugin, name });
  }
  if (config.model !== undefined && name === undefined) {
    return kept(config.model);
  }
  return await local(name, chosen);
}

/** Throws a UsageError unless `baseURL` is an address. */
export function checkAddress(baseURL: string): void {
  if (parseAddress(baseURL)) return;
  throw new UsageError(`Cannot use --base-url "${baseURL}": ${ADDRESS_FORM}`);
}

async function local(
  name: string | undefined,
  chosen: (model: Config["model"], ...notices: string[]) => Choice,
): Promise<Choice> {
  const { detect } = await import("./detect.ts");
  const servers = await detect(LOOK_MS);
  const server = servers.find((s) =>
    name === undefined || s.models.includes(name)
  );
  const model = name ?? server?.models[0];
  if (server && model !== undefined) {
    const { baseURL } = server;
    return chosen(
      { use: "openai", baseURL, name: model },
      `Using ${model} on ${server.name} (${baseURL}); mm init writes that down`,
    );
  }
  if (name === undefined) return chosen(DEMO);
  const { notHere } = await import("./not_here.ts");
  throw notHere(name, servers);
}

const DEMO = "demo";

/** Long enough for a server on this machine, too short to be felt. */
const LOOK_MS = 150;
