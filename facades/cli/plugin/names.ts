import { type Config, parseUse, type Use } from "../../../core/config.ts";
import type { PluginTable } from "../../../core/plugin.ts";

/** Tells a plugin from outside (a path, `npm:…`) from the name of a built-in one. */
export function isExternal(name: string): boolean {
  return /^(\.{0,2}[/\\]|[a-z][\w+.-]*:|~)/i.test(name) ||
    /\.[mc]?[jt]s$/i.test(name);
}

/**
 * The built-in plugins, and those from outside a configuration names, imported
 * when they are used. `tell` is told of those that mm goes on without.
 */
export function withExternal(
  plugins: PluginTable,
  config: Config,
  { project, tell }: {
    readonly project: string;
    readonly tell: (line: string) => void;
  },
): PluginTable {
  const names = externalNames(config);
  if (names.length === 0) return plugins;
  const external = names.map((name) =>
    [name, async () => {
      const { loadNeeded } = await import("./load.ts");
      return await loadNeeded(name, { project, builtIn: plugins, tell });
    }] as const
  );
  return { ...plugins, ...Object.fromEntries(external) };
}

/** The names of a configuration that lead outside, each once. */
export function externalNames(config: Config): readonly string[] {
  const uses: (Use | undefined)[] = [
    config.model,
    config.sessions.enabled ? config.sessions.store : undefined,
    config.compaction.use,
    ...config.plugins,
  ];
  const names = uses.flatMap((use) =>
    use === undefined ? [] : parseUse(use).name
  );
  return [...new Set(names.filter(isExternal))];
}
