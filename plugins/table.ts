import type { PluginTable } from "../core/plugin.ts";
import type { BuiltIn } from "../core/powers.ts";

/** The plugins that are built in, each imported when it is used. */
export const plugins: PluginTable = {
  json: async () => (await import("./json/plugin.ts")).plugin,
  jsonl: async () => (await import("./jsonl/plugin.ts")).plugin,
  sqlite: async () => (await import("./sqlite/plugin.ts")).plugin,
  ring: async () => (await import("./ring/plugin.ts")).plugin,
  openai: async () => (await import("./openai/plugin.ts")).plugin,
  anthropic: async () => (await import("./anthropic/plugin.ts")).plugin,
  demo: async () => (await import("./demo/plugin.ts")).plugin,
  coding: async () => (await import("./coding/plugin.ts")).plugin,
  mcp: async () => (await import("./mcp/plugin.ts")).plugin,
};

/** The stores that keep conversations in a place of their own, without any option. */
export const keepers: readonly string[] = ["json", "jsonl", "sqlite"];

/** What is known of them before any is imported. */
export const builtIn: BuiltIn = {
  names: Object.keys(plugins),
  homes: {
    openai: { url: "https://api.openai.com/v1", here: true },
    anthropic: {
      url: "https://api.anthropic.com/v1",
      key: "ANTHROPIC_API_KEY",
    },
  },
};
