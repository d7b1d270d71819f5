import { join } from "node:path";
import { numbered } from "../../core/numbered.ts";

/** Writes a new file in `folder`, named like `name`; a taken name gets -2, -3 … */
export async function saveFile(
  folder: string,
  name: string,
  text: string,
): Promise<string> {
  for (let n = 1;; n++) {
    const path = join(folder, numbered(name, n));
    try {
      await Deno.writeTextFile(path, text, { createNew: true, mode: 0o600 });
      return path;
    } catch (error) {
      if (error instanceof Deno.errors.AlreadyExists) continue;
      await Deno.remove(path).catch(() => {}); // half of it helps nobody
      throw error;
    }
  }
}
