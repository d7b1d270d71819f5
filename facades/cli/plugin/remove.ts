import type { Config } from "../../../core/config.ts";
import type { Flags } from "../flags.ts";
import { UsageError } from "../usage_error.ts";
import { apply, type ApplyOptions } from "./apply.ts";
import type { Edit } from "./edit.ts";
import { nameInConfig } from "./name_in_config.ts";
import { readLock, writeLock } from "./npm/lock.ts";
import { openPlace } from "../open_place.ts";
import { placesOf, type UsePlace } from "./places.ts";

/** `mm plugin remove`: takes a plugin out of agent.yaml; conversations go back to json first. */
export async function remove(
  typed: string,
  how: ApplyOptions,
  flags: Flags,
): Promise<number> {
  const here = await openPlace(flags);
  const name = nameInConfig(typed, here.place);
  const { config } = here.loaded;
  const places = placesOf(config, name);
  if (places.length === 0) {
    throw new UsageError(
      `Cannot remove plugin "${name}": agent.yaml does not name it, see mm plugin list`,
    );
  }
  if (name === DEFAULT_STORE) {
    throw new UsageError(
      `Cannot remove plugin "${name}": it is what stores go back to; add another one instead: mm plugin add sqlite`,
    );
  }
  const { project } = here.place;
  if (name === DEFAULT_COMPACTOR) {
    throw new UsageError(
      `Cannot remove plugin "${name}": it is what shortens conversations without another one`,
    );
  }
  const edits = places.toReversed().map((place) => without(place, config));
  return await apply(
    { name, edits, before: () => unpin(name, project) },
    here,
    {
      ...how,
      quiet: flags.quiet,
    },
  );
}

const DEFAULT_STORE = "json";
const DEFAULT_COMPACTOR = "summary";

function without({ path }: UsePlace, { plugins }: Config): Edit {
  // The key stays, with the comments around it.
  if (path[0] === "sessions") return { path, value: DEFAULT_STORE };
  if (path[0] === "compaction") return { path, value: DEFAULT_COMPACTOR };
  if (path[0] === "plugins" && plugins.length === 1) {
    return { path: ["plugins"], value: undefined };
  }
  return { path, value: undefined };
}

async function unpin(name: string, project: string): Promise<void> {
  const lock = await readLock(project);
  if (!Object.hasOwn(lock, name)) return;
  const { [name]: _, ...rest } = lock;
  await writeLock(project, rest);
}
