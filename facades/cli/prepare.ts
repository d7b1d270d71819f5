import type { Parts } from "../../core/assemble.ts";
import type { Config } from "../../core/config.ts";
import { plugins } from "../../plugins/table.ts";
import { chooseModel } from "./choose_model.ts";
import { clean } from "./clean.ts";
import type { Flags } from "./flags.ts";
import { readInstructions } from "./instructions.ts";
import { loadConfig, type Loaded } from "./load_config.ts";
import { say } from "./output.ts";
import { enter, findPlace, type Place } from "./place.ts";
import { externalNames, withExternal } from "./plugin/names.ts";
import { version } from "./version.ts";

/** All that an agent is made of, and what to tell the user about it. */
export interface Prepared {
  readonly place: Place;
  readonly loaded: Loaded;
  readonly parts: Parts;
  readonly notices: readonly string[];
}

/** Finds the project and its configuration, and decides on the model. Throws UserErrors. */
export async function prepare(flags: Flags): Promise<Prepared> {
  return await prepareAt(await findPlace(enter(flags.cwd)), flags);
}

/** The same for a place that mm need not be in. */
export async function prepareAt(place: Place, flags: Flags): Promise<Prepared> {
  const [loaded, instructions] = await Promise.all([
    loadConfig(place, flags.config),
    readInstructions(place),
  ]);
  const choice = await chooseModel(loaded.config, flags);
  const usable = await withoutBroken(place, choice.config);
  return {
    place,
    loaded,
    parts: {
      ...partsOf(place, { ...loaded, config: usable.config }),
      instructions: instructions.text,
      ...(flags.approve && { mode: flags.approve }),
    },
    notices: [
      ...choice.notices,
      ...instructions.notices,
      ...usable.notices,
      ...trusting(loaded, flags),
    ],
  };
}

/** What opens a configuration's plugins in a place. */
export function partsOf(place: Place, { config, source }: Loaded): Parts {
  return {
    config,
    source,
    plugins: withExternal(plugins, config, {
      project: place.project,
      tell: sayLeftOut,
    }),
    leftOut: sayLeftOut,
    host: {
      project: place.project,
      env: (name) => Deno.env.get(name),
      commands: config.approvals.commands,
      version,
      now: () => new Date(),
    },
    cwd: place.cwd,
  };
}

// Before any screen: plugins are opened before there is one.
function sayLeftOut(line: string): void {
  say(clean(line));
}

// Few name plugins from outside: nothing is loaded for the others.
async function withoutBroken(
  { project }: Place,
  config: Config,
): Promise<{ readonly config: Config; readonly notices: readonly string[] }> {
  const names = externalNames(config);
  if (names.length === 0) return { config, notices: [] };
  const { askTrust } = await import("./plugin/ask_trust.ts");
  const { dropBroken } = await import("./plugin/drop_broken.ts");
  await askTrust(names, project);
  return await dropBroken(config, { project, builtIn: plugins });
}

// Whoever wrote the file decided it, which is not always whoever runs mm.
function trusting({ config, file }: Loaded, { approve }: Flags): string[] {
  if (config.approvals.mode !== "all" || approve !== undefined) return [];
  return [
    `Every tool call runs without being asked (approvals.mode: all in ${file})`,
  ];
}
