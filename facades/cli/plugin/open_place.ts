import type { Flags } from "../flags.ts";
import { loadConfig, type Loaded } from "../load_config.ts";
import { enter, findPlace, type Place } from "../place.ts";

/** The project, and the configuration in force there. */
export async function openPlace(
  flags: Flags,
): Promise<{ readonly place: Place; readonly loaded: Loaded }> {
  const place = await findPlace(enter(flags.cwd));
  return { place, loaded: await loadConfig(place, flags.config) };
}
