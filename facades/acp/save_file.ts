import { join } from "node:path";

/** Writes a new file in `folder`, named like `name`; a taken name gets -2, -3 … */
export async function saveFile(
  folder: string,
  name: string,
  text: string,
): Promise<string> {
  const [, stem = name, extension = ""] = /^(.+?)(\.[^.]*)?$/s.exec(name) ?? [];
  for (let n = 1;; n++) {
    const path = join(folder, `${stem}${n > 1 ? `-${n}` : ""}${extension}`);
    try {
      await Deno.writeTextFile(path, text, { createNew: true, mode: 0o600 });
      return path;
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
  }
}
