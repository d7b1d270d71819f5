import { errorLine, UserError } from "./error.ts";

/** Wraps what the system answered to `attempt` in words that say what to do. */
export function systemFailure(attempt: string, error: unknown): UserError {
  return new UserError(`Cannot ${attempt}: ${systemReason(error)}`, {
    cause: error,
  });
}

/** The system's reason, in words. */
export function systemReason(error: unknown): string {
  return REASONS[errorCode(error) ?? ""] ?? errorLine(error);
}

/** The system's code ("ENOENT"), where there is one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full, free some space and try again",
  EDQUOT: "your disk quota is used up, free some space and try again",
  EFBIG: "the file would be larger than the system allows",
  EROFS: "the file system is read-only",
  EACCES: "permission denied, check who owns it",
  EPERM: "the system does not permit it",
  ENOENT: "the folder is gone",
  ENOTDIR: "a part of its path is a file, not a folder",
  EEXIST:
    "something else is in its place: a file, or a link that leads nowhere",
  EISDIR: "it is a folder, not a file",
  ENAMETOOLONG: "its path is longer than the system takes",
  ELOOP: "it is a symbolic link, and links are not followed",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EIO: "the disk reports an error",
};
