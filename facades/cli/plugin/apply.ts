import { relative } from "node:path";
import { same } from "../../../core/same.ts";
import { claimProject } from "../at_work.ts";
import { clean } from "../clean.ts";
import { EXIT } from "../exit.ts";
import { type Loaded, userConfig } from "../load_config.ts";
import { printJson, say } from "../output.ts";
import { keepTrust } from "../trust/keep.ts";
import { changeConfig, type ConfigText, saveConfig } from "./config_text.ts";
import type { Edit } from "./edit.ts";
import type { openPlace } from "../open_place.ts";
import type { JsonOption } from "./program.ts";
import { storeText } from "./store_text.ts";
import { type Switched, switchStore } from "./switch_store.ts";
import { written } from "./written.ts";

/** How a change of agent.yaml is made. */
export interface ApplyOptions extends JsonOption {
  readonly yes?: true | undefined;
  /** `--no-copy` makes it false. */
  readonly copy?: boolean;
  readonly quiet?: boolean | undefined;
}

/** A change of agent.yaml. */
export interface Change {
  /** The plugin it is about. */
  readonly name: string;
  /** None: it is there as it should be. */
  readonly edits: readonly Edit[];
  /** Runs when the conversations are copied and before agent.yaml is written. */
  readonly before?: (() => Promise<void>) | undefined;
}

type Here = Awaited<ReturnType<typeof openPlace>>;

/** Changes agent.yaml, and the store with it; says what changed. Resolves to the exit code. */
export async function apply(
  { name, edits, before }: Change,
  here: Here,
  how: ApplyOptions,
): Promise<number> {
  const { json, quiet = false } = how;
  if (edits.length === 0) {
    await before?.();
    if (json) await printJson({ plugin: name, changed: [], sessions: [] });
    else if (!quiet) say(`Nothing to change: ${name} is in use like that`);
    return EXIT.ok;
  }
  const next = await changeConfig(edits, here);
  const { code, copied } = await save(next, here, { ...how, before });
  const file = relative(here.place.cwd, next.file) || next.file;
  const changes = edits.map((edit) => lineOf(edit, name));
  if (json) {
    await printJson({
      plugin: name,
      file,
      changed: code === EXIT.ok ? changes : [],
      sessions: copied?.items ?? [],
    });
  } else if (code === EXIT.ok && !quiet) {
    const verb = next.before === undefined ? "Wrote" : "Changed";
    say(clean(`${verb} ${file}: ${changes.join("; ")}`));
    if (next.file === userConfig()) say(EVERYWHERE);
  }
  return code;
}

const EVERYWHERE =
  "That is your own configuration, for every project without an agent.yaml; conversations of other projects stay where they are (mm sessions copy)";

async function save(
  next: ConfigText,
  here: Here,
  how: ApplyOptions & Pick<Change, "before">,
): Promise<Switched> {
  const moves = !same(storeOf(here), storeOf(next));
  using _claim = moves ? await claimProject(here.place.project) : undefined;
  const switched = moves
    ? await switchStore(here, { ...here, loaded: next.loaded }, {
      copy: how.copy ?? true,
      yes: how.yes ?? false,
      quiet: (how.quiet || how.json) ?? false,
      from: storeText(storeOf(here), next.before),
    })
    : { code: EXIT.ok };
  if (switched.code === EXIT.ok) {
    await how.before?.();
    await saveConfig(next);
    const { trust } = next.loaded;
    // It is the user's own command: what it writes needs no question.
    if (trust?.given) await keepTrust(trust.powers, here.place.project);
  }
  return switched;
}

function storeOf({ loaded }: { readonly loaded: Loaded }) {
  return loaded.config.sessions.store;
}

// As agent.yaml has it: the place in a list is of no interest.
function lineOf({ path, value }: Edit, name: string): string {
  const key = path.filter((part) => typeof part === "string").join(".");
  if (value !== undefined) return `${key}: ${written(value)}`;
  return typeof path.at(-1) === "number"
    ? `${key}: ${name} removed`
    : `${key} removed`;
}
