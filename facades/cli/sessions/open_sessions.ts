import { Agent } from "../../../core/agent.ts";
import { openStore } from "../../../core/assemble.ts";
import type { Model } from "../../../core/model.ts";
import { beAtWork } from "../at_work.ts";
import type { Flags } from "../flags.ts";
import { loadConfig } from "../load_config.ts";
import { enter, findPlace } from "../place.ts";
import { partsOf } from "../prepare.ts";

/** The stored conversations of the project: an agent that only reads and files. */
export async function openSessions(
  flags: Flags,
  { writes = false }: { readonly writes?: boolean } = {},
): Promise<Agent> {
  const place = await findPlace(enter(flags.cwd));
  if (writes) await beAtWork(place.project);
  const loaded = await loadConfig(place, flags.config);
  const store = await openStore(partsOf(place, loaded));
  return new Agent({
    cwd: place.cwd,
    model: NO_MODEL,
    ...(store && { store }),
  });
}

/** Stands where no question is asked. */
export const NO_MODEL: Model = {
  name: "none",
  // deno-lint-ignore require-yield
  async *stream() {
    throw new TypeError("Cannot answer: no model is open");
  },
};
