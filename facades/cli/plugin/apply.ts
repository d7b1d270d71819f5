import { relative } from "node:path";
import { same } from "../../../core/same.ts";
import { claimProject } from "../at_work.ts";
import { EXIT } from "../exit.ts";
import { type Loaded, userConfig } from "../load_config.ts";
import { printJson, say } from "../output.ts";
import { keepTrust } from "../trust/keep.ts";
import { changeConfig, saveConfig } from "./config_text.ts";
import type { Edit } from "./edit.ts";
import type { openPlace } from "./open_place.ts";
import type { JsonOption } from "./program.ts";
import { switchStore } from "./switch_store.ts";

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
  readonly edits: readonly Edit[];
  /** Runs when the conversations are copied and before agent.yaml is written. */
  readonly before?: () => Promise<void>;
}

type Here = Awaited<ReturnType<typeof openPlace>>;

/** Changes agent.yaml, and the store with it; says what changed. Resolves to the exit code. */
export async function apply(
  { name, edits, before }: Change,
  here: Here,
  { yes = undefined, copy = true, json, quiet = false }: ApplyOptions,
): Promise<number> {
  const next = await changeConfig(edits, here);
  using _claim = storeChanges(here, next)
    ? claimProject(here.place.project)
    : undefined;
  const switched = await switchStore(here, { ...here, loaded: next.loaded }, {
    copy,
    yes: yes ?? false,
    quiet: quiet || json === true,
  });
  if (!switched) return EXIT.cancelled;
  if (switched.ok) {
    await before?.();
    await saveConfig(next);
    const { trust } = next.loaded;
    // It is the user's own command: what it writes needs no question.
    if (trust?.given) await keepTrust(trust.powers, here.place.project);
  }
  const file = relative(here.place.cwd, next.file) || next.file;
  const changes = edits.map(lineOf);
  if (json) {
    await printJson({
      plugin: name,
      file,
      changed: switched.ok ? changes : [],
      sessions: switched.copied?.items ?? [],
    });
  } else if (switched.ok && !quiet) {
    say(
      `${next.before === undefined ? "Wrote" : "Changed"} ${file}: ${
        changes.join("; ")
      }`,
    );
    if (next.file === userConfig()) say(EVERYWHERE);
  }
  return switched.ok ? EXIT.ok : EXIT.failed;
}

function storeChanges(...both: readonly { readonly loaded: Loaded }[]) {
  const [from, to] = both.map(({ loaded }) => loaded.config.sessions.store);
  return !same(from, to);
}

const EVERYWHERE =
  "That is your own configuration, for every project without an agent.yaml; conversations of other projects stay where they are (mm sessions copy)";

function lineOf({ path, value }: Edit): string {
  const key = path.join(".");
  if (value === undefined) return `${key} removed`;
  return `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`;
}
