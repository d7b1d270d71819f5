import type { Parts } from "../../core/assemble.ts";
import type { Config } from "../../core/config.ts";
import type { Power } from "../../core/powers.ts";
import { plugins } from "../../plugins/table.ts";
import { beAtWork } from "./at_work.ts";
import { chooseModel } from "./choose_model.ts";
import { clean } from "./clean.ts";
import type { Flags } from "./flags.ts";
import { readInstructions } from "./instructions.ts";
import { loadConfig, type Loaded } from "./load_config.ts";
import { say } from "./output.ts";
import { enter, findPlace, type Place } from "./place.ts";
import { externalNames, withExternal } from "./plugin/names.ts";
import { report } from "./report.ts";
import { hold, refusing } from "./trust/hold.ts";
import type { Settled, SettleOptions } from "./trust/settle.ts";
import { version } from "./version.ts";

/** All that an agent is made of, and what to tell the user about it. */
export interface Prepared {
  readonly place: Place;
  readonly loaded: Loaded;
  readonly parts: Parts;
  readonly notices: readonly string[];
  /** Given back when nothing comes of it; else it is held until the process ends. */
  readonly atWork?: Disposable;
}

/** Who is there. */
export interface Audience {
  /** What needs the user's trust is asked, on a terminal. Default: it is not. */
  readonly asks?: boolean;
  /** They see the sessions, and not what mm says at its start. */
  readonly inSessions?: boolean;
  /** Conversations may be written, until this process ends. Default: they are not. */
  readonly talks?: boolean;
  /** They come by `mm serve`, on that host where a flag says so. Default: they do not. */
  readonly served?: { readonly host?: string | undefined };
}

/** Finds the project and its configuration, and decides on the model. Throws UserErrors. */
export async function prepare(
  flags: Flags,
  audience?: Audience,
): Promise<Prepared> {
  const place = await findPlace(enter(flags.cwd));
  return await prepareAt(place, flags, audience);
}

/** The same for a place that mm need not be in. */
export async function prepareAt(
  place: Place,
  flags: Flags,
  audience: Audience = {},
): Promise<Prepared> {
  if (!audience.talks) return await prepared(place, flags, audience);
  // Before the configuration is looked for: from then on it may not name another store.
  const atWork = await beAtWork(place.project);
  try {
    const now = await findPlace(place.cwd);
    return { ...await prepared(now, flags, audience), atWork };
  } catch (error) {
    atWork[Symbol.dispose]();
    throw error;
  }
}

async function prepared(
  place: Place,
  flags: Flags,
  { asks = false, inSessions = false, served }: Audience,
): Promise<Prepared> {
  const [found, instructions] = await Promise.all([
    loadConfig(place, flags.config),
    readInstructions(place),
  ]);
  const choice = await chooseModel(found.config, flags);
  const moot = (power: Power) =>
    isOfModel(power) && !choice.configured ||
    power.type === "mode" && flags.approve !== undefined ||
    power.type === "listen" && (!served || served.host !== undefined) ||
    power.type === "names" && !served;
  const { loaded, notices } = await settled(found, {
    project: place.project,
    asks,
    moot,
  });
  const usable = await withoutBroken(place, choice.config);
  const parts = {
    ...partsOf(
      place,
      choice.configured ? loaded : withoutModel(loaded),
      usable.config,
    ),
    instructions: instructions.text,
    ...(flags.approve && { mode: flags.approve }),
    // Of several screens one may fail; without its only one the program ends.
    broken: inSessions ? report : endBy,
  };
  return {
    place,
    loaded,
    parts: inSessions && notices.length > 0
      ? (await import("./trust/telling.ts")).telling(parts, notices)
      : parts,
    notices: [
      ...choice.notices,
      ...instructions.notices,
      ...usable.notices,
      ...notices,
    ],
  };
}

function endBy(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

// A model that is chosen by a flag goes where the flags say, without the file's secrets.
function withoutModel({ trust, ...loaded }: Loaded): Loaded {
  if (!trust) return loaded;
  const powers = trust.powers.filter((power) => !isOfModel(power));
  return { ...loaded, trust: { ...trust, powers } };
}

function isOfModel(power: Power): boolean {
  return power.type === "send" && power.at[0] === "model";
}

// Few need trust that they do not have: nothing is loaded for the others.
async function settled(
  loaded: Loaded,
  options: SettleOptions,
): Promise<Settled> {
  const { trust } = loaded;
  if (!trust || trust.given) return { loaded, notices: [] };
  const { settle } = await import("./trust/settle.ts");
  return await settle({ ...loaded, trust }, options);
}

/**
 * What opens a configuration's plugins in a place, or those of a changed
 * `config`. Nothing is in it that `loaded` is not trusted with: whatever mm
 * runs goes through here.
 */
export function partsOf(
  place: Place,
  loaded: Loaded,
  config: Config = loaded.config,
): Parts {
  const held = loaded.trust !== undefined && !loaded.trust.given;
  const allowed = held ? hold(config, loaded) : config;
  const table = withExternal(plugins, allowed, {
    project: place.project,
    tell: sayLeftOut,
  });
  return {
    config: allowed,
    source: loaded.source,
    plugins: held ? refusing(table, loaded) : table,
    leftOut: sayLeftOut,
    host: {
      project: place.project,
      env: (name) => Deno.env.get(name),
      commands: allowed.approvals.commands,
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
