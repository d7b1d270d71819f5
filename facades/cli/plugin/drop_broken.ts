import { type Config, parseUse } from "../../../core/config.ts";
import { errorLine } from "../../../core/error.ts";
import { BrokenPluginError } from "./broken.ts";
import { loadExternal, type LoadOptions } from "./load.ts";
import { isExternal } from "./names.ts";

/** The configuration without the bundles that do not work, and a notice about each. */
export async function dropBroken(
  config: Config,
  options: LoadOptions,
): Promise<{ readonly config: Config; readonly notices: readonly string[] }> {
  const notices: string[] = [];
  const usable = await Promise.all(config.plugins.map(async (use) => {
    const { name } = parseUse(use);
    if (!isExternal(name)) return true;
    try {
      await loadExternal(name, options);
      return true;
    } catch (error) {
      if (!(error instanceof BrokenPluginError)) throw error;
      notices.push(`${errorLine(error)}; mm goes on without it`);
      return false;
    }
  }));
  const plugins = config.plugins.filter((_use, i) => usable[i]);
  return { config: { ...config, plugins }, notices };
}
