import { join } from "node:path";
import { errorLine } from "../../core/error.ts";
import { numbered } from "../../core/numbered.ts";

/** Writes a new file in `folder`, named like `name`; a taken name gets -2, -3 … */
export async function saveFile(
  folder: string,
  name: string,
  text: string,
): Promise<string> {
  for (let n = 1;; n++) {
    const path = join(folder, numbered(name, n));
    if (await wrote(path, text)) return path;
  }
}

// False when the name is taken. What cannot be written whole is not left behind.
async function wrote(path: string, text: string): Promise<boolean> {
  try {
    await Deno.writeTextFile(path, text, { createNew: true, mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    await Deno.remove(path).catch(() => {}); // the first error says more
    throw new Error(`Cannot write ${path}: ${errorLine(error)}`, {
      cause: error,
    });
  }
}
