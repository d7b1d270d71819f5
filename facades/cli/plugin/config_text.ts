import { join } from "node:path";
import { readConfig } from "../../../core/config_file.ts";
import { systemFailure } from "../../../core/system_error.ts";
import type { Loaded } from "../load_config.ts";
import { CONFIG_NAME, type Place } from "../place.ts";
import { type Edit, editYaml } from "./edit.ts";

/** A changed agent.yaml, not yet written. */
export interface ConfigText {
  /** Absolute, or from where the user is. */
  readonly file: string;
  readonly isNew: boolean;
  readonly text: string;
  /** What the changed text means. */
  readonly loaded: Loaded;
}

/** The configuration in force with some edits; where there is none, the project's new one. */
export async function changeConfig(
  edits: readonly Edit[],
  { place, loaded }: { readonly place: Place; readonly loaded: Loaded },
): Promise<ConfigText> {
  const file = loaded.file ?? join(place.project, CONFIG_NAME);
  const isNew = loaded.file === undefined;
  const before = isNew ? "" : await Deno.readTextFile(file);
  const text = editYaml(before, edits);
  // Nothing is written that could not be read again.
  const read = readConfig(text, file, (name) => Deno.env.get(name));
  return { file, isNew, text, loaded: { ...read, file } };
}

/** Writes it, whole or not at all; through a link, to where it leads. */
export async function saveConfig(
  { file, isNew, text }: ConfigText,
): Promise<void> {
  try {
    const path = isNew ? file : await Deno.realPath(file);
    const mode = isNew ? null : (await Deno.stat(path)).mode;
    const part = `${path}.${crypto.randomUUID().slice(0, 8)}.tmp`;
    await Deno.writeTextFile(part, text, {
      createNew: true,
      ...(mode !== null && { mode: mode & 0o777 }),
    });
    await Deno.rename(part, path);
  } catch (error) {
    throw systemFailure(`write ${file}`, error);
  }
}
