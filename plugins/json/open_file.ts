import { constants, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { errorCode } from "../../core/system_error.ts";
import { readFailure, unreadable } from "../files/errors.ts";

/** Never through a link, never waiting for the other end of a FIFO. */
export const READ_SAFELY: number = constants.O_RDONLY |
  (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Larger files are refused: they could not be held in memory. */
export const MAX_BYTES = 1024 ** 3;

/** Opens a session file to read; undefined when there is none. */
export async function openFile(path: string): Promise<FileHandle | undefined> {
  try {
    // Asked first, because opening a device may already do something.
    checkKind(path, Deno.lstatSync(path));
    return await open(path, READ_SAFELY);
  } catch (error) {
    switch (errorCode(error)) {
      case "ENOENT":
        return undefined;
      case "ELOOP":
        throw unreadable(path, SYMLINK, error);
      default:
        throw readFailure(path, error);
    }
  }
}

/** Throws UnreadableError unless it is a regular file of a sane size. */
export function checkKind(path: string, kind: Kind): void {
  const reason = kindProblem(kind);
  if (reason) throw unreadable(path, reason);
}

/** Why this cannot be a session file, by what kind of file it is. */
export function kindProblem(kind: Kind): string | undefined {
  if (kind.isSymlink) return SYMLINK;
  if (kind.isDirectory) return "it is a folder, not a file";
  if (kind.isFifo) return "it is a named pipe, not a file";
  if (kind.isSocket) return "it is a socket, not a file";
  if (!kind.isFile) return "it is a device, not a file";
  if (kind.size === 0) return "it is empty (0 bytes)";
  return kind.size > MAX_BYTES
    ? `it is too large (${kind.size} bytes, the limit is ${MAX_BYTES})`
    : undefined;
}

/** What kind of file it is, in Deno's words. */
export type Kind =
  & Pick<Deno.FileInfo, "isFile" | "isDirectory" | "isSymlink" | "size">
  & Pick<Deno.FileInfo, "isFifo" | "isSocket">;

/** The same of a file that node opened. */
export function kindOf(stats: Stats): Kind {
  return {
    isFile: stats.isFile(),
    isDirectory: stats.isDirectory(),
    isSymlink: stats.isSymbolicLink(),
    isFifo: stats.isFIFO(),
    isSocket: stats.isSocket(),
    size: stats.size,
  };
}

const SYMLINK = "it is a symbolic link, and links are not followed";
