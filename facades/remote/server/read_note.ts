import { isObject, tryParse } from "../../../core/json.ts";
import { isHere } from "./names.ts";

/** How a running server is reached, for whoever may read the project's `.mm`. */
export interface Note {
  readonly pid: number;
  /** `http://host:port/`. */
  readonly url: string;
  readonly token: string;
  readonly version: string;
  /** The certificate it shows, PEM: whoever reads it here knows the server by it. */
  readonly cert?: string;
}

/**
 * The note that a server left; undefined when there is none, a string that says
 * why it is not believed. A folder that came from elsewhere may bring one that
 * leads what is said to a stranger.
 */
export async function readNote(
  path: string,
): Promise<Note | string | undefined> {
  try {
    const strange = strangeFile(await Deno.lstat(path));
    if (strange !== undefined) return strange;
    const note = tryParse(await Deno.readTextFile(path));
    if (!isNote(note)) return undefined; // none of ours: it is overwritten
    // What a name leads to is another's to say, but for our own.
    if (isHere(new URL(note.url).hostname)) return note;
    return "its address is none of this machine";
  } catch {
    return undefined; // none, or none that can be read: there is no server
  }
}

// Windows tells neither.
function strangeFile(
  { isFile, uid, mode }: Deno.FileInfo,
): string | undefined {
  if (!isFile) return "it is no regular file";
  if (uid !== null && uid !== Deno.uid()) return "it is another user's";
  if (mode !== null && Deno.build.os !== "windows" && (mode & 0o077) !== 0) {
    return "it is not private to you";
  }
  return undefined;
}

function isNote(note: unknown): note is Note {
  return isObject(note) && Number.isSafeInteger(note.pid) &&
    Number(note.pid) > 0 && typeof note.url === "string" &&
    URL.canParse(note.url) && typeof note.token === "string" &&
    (note.cert === undefined || typeof note.cert === "string");
}
