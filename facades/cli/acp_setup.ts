import { doctor } from "./doctor.ts";
import { EXIT } from "./exit.ts";
import type { Flags } from "./flags.ts";
import { init } from "./init.ts";
import { loadConfig } from "./load_config.ts";
import { enter, findPlace } from "./place.ts";

/** `mm acp --setup`, which an editor runs in a terminal: makes a configuration, then checks it. */
export async function acpSetup(flags: Flags): Promise<number> {
  const place = await findPlace(enter(flags.cwd));
  const { file } = await loadConfig(place, flags.config);
  if (file === undefined) {
    const code = await init({}, flags);
    if (code !== EXIT.ok) return code;
  }
  return await doctor({}, flags);
}
