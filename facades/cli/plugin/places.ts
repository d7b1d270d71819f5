import { type Config, parseUse, type Use } from "../../../core/config.ts";
import type { Plugin } from "../../../core/plugin.ts";

/** A place of agent.yaml that names a plugin. */
export interface UsePlace {
  readonly path: readonly (string | number)[];
  readonly use: Use;
}

/** Where a configuration names the plugin, defaults included. */
export function placesOf(config: Config, name: string): readonly UsePlace[] {
  return allPlaces(config).filter(({ use }) => parseUse(use).name === name);
}

/** Every place that names a plugin, defaults included. */
export function allPlaces(config: Config): readonly UsePlace[] {
  const { model, sessions, compaction, mcp, plugins } = config;
  return [
    ...model === undefined ? [] : [{ path: ["model"], use: model }],
    { path: STORE_PATH, use: sessions.store },
    { path: ["compaction", "use"], use: compaction.use },
    ...mcp === undefined
      ? []
      : [{ path: ["mcp"], use: { ...mcp, use: "mcp" } }],
    ...plugins.map((use, i) => ({ path: ["plugins", i], use })),
  ];
}

/** Where a plugin of a kind is put; undefined where agent.yaml has no place for it. */
export function placeFor(
  kind: Plugin["kind"],
  name: string,
  config: Config,
): UsePlace["path"] | undefined {
  switch (kind) {
    case "store":
      return STORE_PATH;
    case "model":
      return ["model"];
    case "compactor":
      return ["compaction", "use"];
    case "plugin": {
      const [known] = placesOf(config, name);
      return known?.path ?? ["plugins", config.plugins.length];
    }
    case "facade":
      return undefined;
  }
}

const STORE_PATH = ["sessions", "store"] as const;
