import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { errorCode } from "../../core/system_error.ts";
import { readFailure, unreadable } from "./errors.ts";
import { type Stamp, stampOf, stampOfName } from "./stamp.ts";

/** An open session file, and which state of it. */
export interface OpenFile extends Disposable {
  readonly path: string;
  readonly file: number;
  readonly stamp: Stamp;
}

/** Larger files are refused: they could not be held in memory. */
export const MAX_BYTES = 1024 ** 3;

// Never through a link, never waiting for the other end of a FIFO.
const SAFELY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const READ = constants.O_RDONLY | SAFELY;

/** To add to, and to read what is there. */
export const APPEND: number = constants.O_RDWR | constants.O_APPEND | SAFELY;

/** Opens a session file, to read it by default; undefined when there is none. Throws UnreadableError. */
export function openFile(path: string, flags = READ): OpenFile | undefined {
  let file: number | undefined;
  try {
    if (!look(path)) return undefined;
    file = openSync(path, flags);
    const stats = fstatSync(file);
    if (!stats.isFile()) throw unreadable(path, "it is no regular file");
    checkSize(path, stats.size);
    const opened = file;
    return {
      path,
      file,
      stamp: stampOf(stats),
      [Symbol.dispose]: () => closeSync(opened),
    };
  } catch (error) {
    if (file !== undefined) closeSync(file);
    if (errorCode(error) === "ENOENT") return undefined;
    // What may not be written is no less readable.
    if (flags === APPEND && WRITING.has(errorCode(error) ?? "")) throw error;
    throw readFailure(path, error);
  }
}

const WRITING: ReadonlySet<string> = new Set(["EROFS", "EACCES", "EPERM"]);

/** An open file in the state it has now; undefined when its name is another's. Throws UnreadableError. */
export function asItIs(open: OpenFile): OpenFile | undefined {
  const named = look(open.path);
  const stamp = named && stampOfName(named);
  return stamp?.ino === open.stamp.ino ? { ...open, stamp } : undefined;
}

/**
 * Opens one of many session files to look at it; the caller closes it. Its
 * size is that of a moment before, since node's fstat takes as long as all
 * the rest.
 */
export function openQuickly(
  path: string,
): { readonly file: number; readonly size: number } | undefined {
  const found = look(path);
  return found && { file: openSync(path, READ), size: found.size };
}

// Before it is opened, because opening a device may already do something.
function look(path: string): Deno.FileInfo | undefined {
  let found: Deno.FileInfo;
  try {
    found = Deno.lstatSync(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
  if (!found.isFile) throw unreadable(path, kindProblem(found));
  checkSize(path, found.size);
  return found;
}

function kindProblem(kind: Deno.FileInfo): string {
  if (kind.isSymlink) {
    return "it is a symbolic link, and links are not followed";
  }
  if (kind.isDirectory) return "it is a folder, not a file";
  if (kind.isFifo) return "it is a named pipe, not a file";
  return kind.isSocket
    ? "it is a socket, not a file"
    : "it is a device, not a file";
}

function checkSize(path: string, size: number): void {
  if (size === 0) throw unreadable(path, "it is empty (0 bytes)");
  if (size > MAX_BYTES) {
    throw unreadable(
      path,
      `it is too large (${size} bytes, the limit is ${MAX_BYTES})`,
    );
  }
}
