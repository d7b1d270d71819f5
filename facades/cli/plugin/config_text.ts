import { join } from "node:path";
import { type ConfigFile, readConfig } from "../../../core/config_file.ts";
import { UserError } from "../../../core/error.ts";
import { systemFailure } from "../../../core/system_error.ts";
import { type Loaded, type Trust, trustIn } from "../load_config.ts";
import { CONFIG_NAME, type Place } from "../place.ts";
import { type Edit, editYaml } from "./edit.ts";
import { writeWhole } from "../write_whole.ts";

/** A changed agent.yaml, not yet written. */
export interface ConfigText {
  /** Absolute, or from where the user is. */
  readonly file: string;
  /** The text it was made of; undefined when there is no file yet. */
  readonly before: string | undefined;
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
  if (isNew && isLink(file)) {
    throw new UserError(
      `Cannot write ${file}: it is a link that leads nowhere; remove it`,
    );
  }
  const before = isNew ? undefined : await Deno.readTextFile(file);
  if (!isNew) await checkWritable(file); // before anything is copied
  const text = editYaml(before ?? "", edits);
  // Nothing is written that could not be read again.
  const { written, ...read } = readHere(text, file);
  const needsTrust = isNew || loaded.trust !== undefined;
  return {
    file,
    before,
    text,
    loaded: {
      ...read,
      file,
      ...needsTrust && { trust: await trustAfter(written, before, place) },
    },
  };
}

function readHere(text: string, file: string): ConfigFile {
  return readConfig(text, file, (name) => Deno.env.get(name));
}

// What the user's own command does to a file that was trusted needs no question.
async function trustAfter(
  written: unknown,
  before: string | undefined,
  { project }: Place,
): Promise<Trust> {
  const { powers, given } = await trustIn(written, project);
  if (given || before === undefined) return { powers, given: true };
  const old = await trustIn(readHere(before, CONFIG_NAME).written, project);
  return { powers, given: old.given };
}

/**
 * Writes it, whole or not at all; through a link, to where it leads. Refuses
 * when the file is not what it was: copying conversations takes its time.
 */
export async function saveConfig(
  { file, before, text }: ConfigText,
): Promise<void> {
  try {
    const isNew = before === undefined;
    const path = isNew ? file : await Deno.realPath(file);
    const mode = isNew ? null : (await Deno.stat(path)).mode;
    await writeWhole(path, text, {
      ...(mode !== null && { mode: mode & 0o777 }),
      check() {
        if (textAt(path) !== before) throw changed(file);
      },
    });
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw error instanceof Deno.errors.NotFound && before !== undefined
      ? changed(file)
      : systemFailure(`write ${file}`, error);
  }
}

// Another file could take its place all the same, which is not what was meant.
async function checkWritable(file: string): Promise<void> {
  try {
    const { mode } = await Deno.stat(file);
    // Whoever may do everything is not kept from it by the mode.
    if (mode === null || mode & 0o222) {
      return (await Deno.open(file, { write: true })).close();
    }
  } catch (error) {
    throw systemFailure(`write ${file}`, error);
  }
  throw new UserError(`Cannot write ${file}: it is read-only`);
}

function isLink(path: string): boolean {
  try {
    return Deno.lstatSync(path).isSymlink;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function textAt(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function changed(file: string): UserError {
  return new UserError(
    `Cannot write ${file}: somebody else changed it meanwhile; run the command again`,
  );
}
