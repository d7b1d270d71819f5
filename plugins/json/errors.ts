import { errorLine, UnreadableError, UserError } from "../../core/error.ts";

/** The one way this store says that a file cannot be read. */
export function unreadable(
  path: string,
  reason: string,
  cause?: unknown,
): UnreadableError & { readonly reason: string } {
  const error = new UnreadableError(
    `Cannot read session file "${path}": ${reason}`,
    { cause },
  );
  return Object.assign(error, { reason });
}

/** Why a file cannot be read, without its name: for listings. */
export function reasonOf(error: unknown): string {
  return error instanceof UnreadableError && "reason" in error
    ? String(error.reason)
    : systemReason(error);
}

/** What to throw when reading failed: only what lies in the file itself makes it unreadable. */
export function readFailure(path: string, error: unknown): Error {
  if (error instanceof UnreadableError) return error;
  return PASSING.has(errorCode(error) ?? "")
    ? failed(`read session file "${path}"`, error)
    : unreadable(path, systemReason(error), error);
}

// Set aside for one of these, a good file would be lost to its user.
const PASSING: ReadonlySet<string> = new Set([
  "EMFILE",
  "ENFILE",
  "ENOMEM",
  "EINTR",
  "EAGAIN",
  "EIO",
]);

/** Wraps what the system answered to `attempt` in words that say what to do. */
export function failed(attempt: string, error: unknown): UserError {
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
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EIO: "the disk reports an error",
};
