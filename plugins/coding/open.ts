import type { FileHandle } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Place } from "./place.ts";
import { missing } from "./place.ts";

/** Opens a regular file for reading. It cannot hang on a FIFO or follow a symlink put there since. */
export async function openFile(place: Place): Promise<FileHandle> {
  await assertRegular(place);
  const { constants, promises } = await import("node:fs"); // not at start
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) |
    (constants.O_NONBLOCK ?? 0);
  const file = await promises.open(place.real, flags);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error(`Cannot read "${place.shown}": it is no regular file`);
}

/** Throws, with a hint, unless a regular file is there. */
export async function assertRegular(place: Place): Promise<Deno.FileInfo> {
  let info: Deno.FileInfo;
  try {
    info = await Deno.lstat(place.real);
  } catch (error) {
    if (!missing(error)) throw error;
    throw new Error(
      `Cannot find "${place.shown}"${await hint(place)}`,
      { cause: error },
    );
  }
  if (info.isFile) return info;
  throw new Error(
    info.isDirectory
      ? `"${place.shown}" is a folder: use list`
      : `Cannot read "${place.shown}": it is no regular file`,
  );
}

async function hint({ real, shown }: Place): Promise<string> {
  const names: string[] = [];
  try {
    for await (const entry of Deno.readDir(dirname(real))) {
      if (names.push(entry.name) >= 2000) break;
    }
  } catch (error) {
    if (!missing(error)) throw error;
    return `: the folder "${dirname(shown)}" does not exist`;
  }
  const { nearest } = await import("../../core/nearest.ts");
  const wanted = basename(real);
  const stem = wanted.toLowerCase().replace(/\.[^.]*$/, "");
  const alike = names.filter((name) => name.toLowerCase().startsWith(stem));
  const best = nearest(wanted, names);
  const near = [...new Set([...(best ? [best] : []), ...alike.sort()])];
  if (near.length === 0) return "";
  return `: did you mean ${
    near.slice(0, 3).map((name) => `"${name}"`).join(" or ")
  }?`;
}
