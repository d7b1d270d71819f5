import { checkOptions } from "../../core/config.ts";
import type { Store } from "../../core/store.ts";
import { plugins } from "../../plugins/table.ts";

/** Opens a built-in store in a project, with its defaults or other options. */
export async function openForTest(
  name: string,
  project: string,
  options: Readonly<Record<string, unknown>> = {},
): Promise<Store> {
  const plugin = await plugins[name]!();
  if (plugin.kind !== "store") throw new TypeError(`${name} is no store`);
  return await plugin.open(checkOptions(plugin.options, options, []), {
    project,
    env: () => undefined,
    version: "0",
    commands: [],
    now: () => new Date(),
  });
}
