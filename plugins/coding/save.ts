import { basename, dirname, join } from "node:path";
import { randomHex } from "../../core/id.ts";
import type { Place } from "./place.ts";
import { missing } from "./place.ts";

/** Throws unless a file can be written at `place`: a regular one, or none yet. */
export async function assertWritable(
  place: Place,
): Promise<Deno.FileInfo | undefined> {
  let info: Deno.FileInfo;
  try {
    info = await Deno.lstat(place.real);
  } catch (error) {
    if (missing(error)) return undefined;
    throw error;
  }
  if (info.isDirectory) throw new Error(`"${place.shown}" is a folder`);
  if (!info.isFile) {
    throw new Error(`Cannot write "${place.shown}": it is no regular file`);
  }
  if (info.mode !== null && !(info.mode & 0o222)) {
    throw new Error(
      `"${place.shown}" is read-only: make it writable with shell first`,
    );
  }
  return info;
}

/** Replaces or creates the file in one step; nobody ever sees half of it. */
export async function save(place: Place, text: string): Promise<void> {
  const info = await assertWritable(place);
  const folder = dirname(place.real);
  if (!info) await Deno.mkdir(folder, { recursive: true });
  const name = basename(place.real).slice(0, 100);
  const temp = join(folder, `.${name}.${randomHex(8)}.tmp`);
  try {
    const mode = info?.mode == null ? undefined : info.mode & 0o7777;
    // Private from its first byte on, where the file is; then what the umask took is given back.
    await Deno.writeTextFile(temp, text, {
      createNew: true,
      ...(mode !== undefined && { mode }),
    });
    if (mode !== undefined) await Deno.chmod(temp, mode);
    await Deno.rename(temp, place.real);
  } catch (error) {
    await Deno.remove(temp).catch(() => {}); // the first error says more
    throw error;
  }
}

const queues = new Map<string, Promise<void>>();

/** Runs `change` when no other change of the same file runs. */
export async function alone<T>(
  path: string,
  change: () => Promise<T>,
): Promise<T> {
  const before = queues.get(path);
  const { promise, resolve } = Promise.withResolvers<void>();
  queues.set(path, promise);
  await before;
  try {
    return await change();
  } finally {
    resolve();
    if (queues.get(path) === promise) queues.delete(path);
  }
}
