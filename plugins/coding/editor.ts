import type { ToolContext } from "../../core/tool.ts";
import type { Place } from "./place.ts";
import { save } from "./save.ts";

type Editor = Pick<ToolContext, "files" | "signal">;

/**
 * The text of a file as the user's editor holds it. Undefined where there is
 * no editor, or it cannot tell (a new file, a binary one): then the disk decides.
 */
export async function editorText(
  place: Place,
  { files, signal }: Editor,
): Promise<string | undefined> {
  if (!files?.read || !place.inside) return undefined;
  try {
    return await files.read(place.real, signal);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** Saves text through the user's editor where there is one. What it refuses is not written behind its back. */
export async function saveText(
  place: Place,
  text: string,
  { files, signal }: Editor,
): Promise<void> {
  if (!files?.write || !place.inside) return await save(place, text);
  try {
    await files.write(place.real, text, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(`The editor did not save "${place.shown}"`, {
      cause: error,
    });
  }
}
