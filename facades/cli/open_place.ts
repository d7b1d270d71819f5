import { beAtWork } from "./at_work.ts";
import type { Flags } from "./flags.ts";
import { loadConfig, type Loaded } from "./load_config.ts";
import { enter, findPlace, type Place } from "./place.ts";

/**
 * The project, and the configuration in force there. Who `writes` conversations
 * is at work in it before the configuration is looked for: from then on it may
 * not name another store.
 */
export async function openPlace(
  flags: Flags,
  { writes = false }: { readonly writes?: boolean } = {},
): Promise<{ readonly place: Place; readonly loaded: Loaded }> {
  const cwd = enter(flags.cwd);
  let place = await findPlace(cwd);
  if (writes) {
    await beAtWork(place.project);
    place = await findPlace(cwd);
  }
  return { place, loaded: await loadConfig(place, flags.config) };
}
