import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { errorCode, readFailure, unreadable } from "./errors.ts";

/** Never through a link, never waiting for the other end of a FIFO. */
export const READ_SAFELY: number = constants.O_RDONLY |
  (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Larger files are refused: they could not be held in memory. */
export const MAX_BYTES = 1024 ** 3;

/** Opens a session file to read; undefined when there is none. */
export async function openFile(path: string): Promise<FileHandle | undefined> {
  try {
    // Asked first, because opening a device may already do something.
    checkKind(path, await lstat(path));
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
export function checkKind(path: string, stats: Stats): void {
  const reason = kindProblem(stats);
  if (reason) throw unreadable(path, reason);
}

/** Why this cannot be a session file, by what kind of file it is. */
export function kindProblem(stats: Kind & { size?: number }): string | null {
  if (stats.isSymbolicLink()) return SYMLINK;
  if (stats.isDirectory()) return "it is a folder, not a file";
  if (stats.isFIFO()) return "it is a named pipe, not a file";
  if (stats.isSocket()) return "it is a socket, not a file";
  if (!stats.isFile()) return "it is a device, not a file";
  if (stats.size === 0) return "it is empty (0 bytes)";
  if (stats.size !== undefined && stats.size > MAX_BYTES) {
    return `it is too large (${stats.size} bytes, the limit is ${MAX_BYTES})`;
  }
  return null;
}

interface Kind {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
}

const SYMLINK = "it is a symbolic link, and links are not followed";
