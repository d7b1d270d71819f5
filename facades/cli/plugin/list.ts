import { parseUse } from "../../../core/config.ts";
import { plugins } from "../../../plugins/table.ts";
import { clean } from "../clean.ts";
import { painter } from "../color.ts";
import { EXIT } from "../exit.ts";
import type { Flags } from "../flags.ts";
import { print, printJson } from "../output.ts";
import { describe, type Description } from "./describe.ts";
import { isExternal } from "./names.ts";
import { openPlace } from "../open_place.ts";
import { allPlaces } from "./places.ts";
import type { JsonOption } from "./program.ts";

/** `mm plugin list`: what is built in, what agent.yaml adds, what is in use. */
export async function list(
  { json }: JsonOption,
  flags: Flags,
): Promise<number> {
  const { place, loaded: { config } } = await openPlace(flags);
  const named = allPlaces(config).map(({ use }) => parseUse(use).name);
  const names = new Set([
    ...Object.keys(plugins),
    ...named.filter(isExternal),
  ]);
  const found = await Promise.all(
    [...names].map((name) => describe(name, config, place.project)),
  );
  const all = found.map(({ about }) => about);
  if (json) await printJson(all);
  else await print(table(all));
  return EXIT.ok;
}

function table(all: readonly Description[]): string {
  const paint = painter();
  const width = Math.max(...all.map(({ name }) => name.length));
  return all.map((plugin) => {
    const { name, kind = "", always } = plugin;
    const usedBy = [...always ? ["always"] : [], ...plugin.usedBy];
    const used = usedBy.length > 0 ? `  [${usedBy.join(", ")}]` : "";
    const line = `${name.padEnd(width)}  ${kind.padEnd(9)}  ${
      clean(wordsOf(plugin))
    }${used}`;
    const color = plugin.problem || plugin.trusted === false ? "red" : "bold";
    return `${usedBy.length > 0 ? paint(color, line) : line}\n`;
  }).join("");
}

function wordsOf({ about, problem, trusted, name }: Description): string {
  if (problem) return problem;
  if (trusted === false) return `not trusted: mm plugin trust ${name}`;
  return about ?? "from outside, trusted";
}
