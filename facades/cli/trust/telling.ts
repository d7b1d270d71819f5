import { strictObject } from "zod/mini";
import type { Parts } from "../../../core/assemble.ts";
import { definePlugin } from "../../../core/plugin.ts";

/**
 * An agent that says something at the first question of every session: whoever
 * uses it from an editor or a browser sees nothing of what mm says at its start.
 */
export function telling(parts: Parts, lines: readonly string[]): Parts {
  const plugin = definePlugin({
    name: NAME,
    options: strictObject({}),
    open: () => ({
      serve: () =>
        Promise.resolve({
          tools: [],
          problems: lines,
          async [Symbol.asyncDispose]() {},
        }),
    }),
  });
  const { config, plugins } = parts;
  return {
    ...parts,
    config: { ...config, plugins: [...config.plugins, NAME] },
    plugins: { ...plugins, [NAME]: () => Promise.resolve(plugin) },
  };
}

const NAME = "notices";
