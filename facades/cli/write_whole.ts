import { encoded } from "./encoded.ts";

/** How a file is written. */
export interface WriteOptions {
  readonly mode?: number | undefined;
  /** Asked right before the file takes its place; throwing leaves what is there. */
  readonly check?: () => void;
}

/** Writes a file whole or not at all; nothing is left beside it. */
export async function writeWhole(
  path: string,
  text: string,
  { mode, check }: WriteOptions = {},
): Promise<void> {
  const part = `${path}.${crypto.randomUUID().slice(0, 8)}.tmp`;
  try {
    await writeThrough(part, text, mode);
    check?.();
    Deno.renameSync(part, path); // at once: nobody comes between
  } catch (error) {
    await Deno.remove(part).catch(() => {}); // the fault is told, not this
    throw error;
  }
}

// On the disk before it has the name: else a crash could leave an empty file.
async function writeThrough(
  path: string,
  text: string,
  mode: number | undefined,
): Promise<void> {
  using file = await Deno.open(path, {
    write: true,
    createNew: true,
    ...(mode !== undefined && { mode }),
  });
  for (const bytes of encoded(text)) {
    for (let done = 0; done < bytes.length;) {
      done += await file.write(bytes.subarray(done));
    }
  }
  await file.sync();
}
