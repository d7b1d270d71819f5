import { STANDARD } from "../../../core/assemble.ts";
import { checkOptions } from "../../../core/config.ts";
import type { Plugin } from "../../../core/plugin.ts";
import { same } from "../../../core/same.ts";
import { plugins } from "../../../plugins/table.ts";
import { EXIT } from "../exit.ts";
import type { Flags } from "../flags.ts";
import { say } from "../output.ts";
import type { Place } from "../place.ts";
import { UsageError } from "../usage_error.ts";
import { apply, type ApplyOptions } from "./apply.ts";
import { noPlugin } from "./info.ts";
import { loadModule } from "./load.ts";
import { findModule, type Module } from "./module.ts";
import { nameInConfig } from "./name_in_config.ts";
import { isExternal } from "./names.ts";
import { readLock, writeLock } from "./npm/lock.ts";
import { openPlace } from "../open_place.ts";
import { allPlaces, placeFor } from "./places.ts";
import { readOptions } from "./options.ts";
import { ensureTrusted } from "./trust_modules.ts";
import { useEdits } from "./use_edits.ts";

/** How a plugin is added. */
export interface AddOptions extends ApplyOptions {
  readonly option?: readonly string[] | undefined;
  /** Options that go back to their defaults. */
  readonly unset?: readonly string[] | undefined;
}

/** `mm plugin add`: writes a plugin into agent.yaml, and moves the conversations with a store. */
export async function add(
  typed: string,
  { option, unset = [], ...how }: AddOptions,
  flags: Flags,
): Promise<number> {
  const here = await openPlace(flags);
  const name = nameInConfig(typed, here.place);
  const found = await find(name, here.place, how.yes ?? false);
  if (!found) return EXIT.cancelled;
  const { plugin, pin } = found;
  const { config } = here.loaded;
  const path = placeFor(plugin.kind, name, config);
  if (!path) {
    throw new UsageError(
      `Cannot add plugin "${name}": agent.yaml has no place for a ${plugin.kind}`,
    );
  }
  const set = readOptions(option);
  if (STANDARD.includes(name) && option === undefined && unset.length === 0) {
    if (!flags.quiet) say(`Nothing to add: ${name} is always there`);
    return EXIT.ok;
  }
  const there = allPlaces(config).find((place) => same(place.path, path));
  const { options, edits } = useEdits(name, { ...there, path }, { set, unset });
  if (plugin.kind === "compactor" && Object.keys(options).length > 0) {
    throw new UsageError(
      `Cannot add plugin "${name}": a compactor takes no options`,
    );
  }
  checkOptions(plugin.options, options, [], {
    file: `the options of ${name}`,
    line: () => undefined,
  });
  const change = { name, edits };
  return await apply(pin ? { ...change, before: pin } : change, here, {
    ...how,
    quiet: flags.quiet,
  });
}

interface Found {
  readonly plugin: Plugin;
  /** Records which code an npm package stands for. */
  readonly pin?: () => Promise<void>;
}

// Undefined: the user does not trust it.
async function find(
  name: string,
  place: Place,
  yes: boolean,
): Promise<Found | undefined> {
  if (!isExternal(name)) {
    if (!Object.hasOwn(plugins, name)) throw noPlugin(name);
    const plugin = await plugins[name]?.();
    if (!plugin) throw noPlugin(name);
    return { plugin };
  }
  if (name.startsWith("npm:")) return await fetched(name, place, yes);
  const module = await findModule(name, place.project);
  return await trusted(module, yes);
}

async function fetched(
  name: string,
  { project }: Place,
  yes: boolean,
): Promise<Found | undefined> {
  const { fetchPackage } = await import("./npm/fetch.ts");
  const { locked, bytes } = await fetchPackage(name);
  const hash = locked.sha256;
  const found = await trusted(
    { name, hash, bytes: () => Promise.resolve(bytes) },
    yes,
  );
  return found && {
    ...found,
    async pin() {
      await writeLock(project, { ...await readLock(project), [name]: locked });
    },
  };
}

async function trusted(
  module: Module,
  yes: boolean,
): Promise<Found | undefined> {
  if (!await ensureTrusted(module, yes)) return undefined;
  return { plugin: await loadModule(module, { builtIn: plugins }) };
}
