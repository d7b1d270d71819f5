import { ConflictError, UnreadableError } from "../../core/error.ts";
import {
  errorCode,
  systemFailure,
  systemReason,
} from "../../core/system_error.ts";

/** The one way to say that a session file cannot be read. */
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
    ? systemFailure(`read session file "${path}"`, error)
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

/** What to throw when events follow a record that became unreadable meanwhile. */
export function lostRecord(id: string, cause: UnreadableError): ConflictError {
  return new ConflictError(
    `Cannot add to session ${id}: its file changed and is unreadable now`,
    { cause },
  );
}
