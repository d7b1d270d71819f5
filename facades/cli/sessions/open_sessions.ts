import { Agent } from "../../../core/agent.ts";
import { openStore } from "../../../core/assemble.ts";
import type { Model } from "../../../core/model.ts";
import type { Flags } from "../flags.ts";
import { openPlace } from "../open_place.ts";
import { partsOf } from "../prepare.ts";

/** The stored conversations of the project: an agent that only reads and files. */
export async function openSessions(
  flags: Flags,
  options: { readonly writes?: boolean } = {},
): Promise<Agent> {
  const { place, loaded } = await openPlace(flags, options);
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
