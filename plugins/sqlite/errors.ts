import { UnreadableError, UserError } from "../../core/error.ts";
import { errorCode, systemReason } from "../../core/system_error.ts";

/** Wraps what SQLite or the system answered to `attempt` in words that say what to do. */
export function failure(attempt: string, error: unknown): unknown {
  // Ours, or the caller's: they say themselves what is wrong.
  if (!isSqlite(error) && errorCode(error) === undefined) return error;
  const code = primaryCode(error);
  const reason = REASONS[code ?? 0] ?? systemReason(error);
  const Kind = DAMAGE.has(code ?? 0) ? UnreadableError : UserError;
  return new Kind(`Cannot ${attempt}: ${reason}`, { cause: error });
}

/** Tells whether another connection was in the way; trying again helps. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === BUSY || code === LOCKED;
}

/** Tells whether SQLite met something in the file that makes no sense. */
export function isDamage(error: unknown): boolean {
  return primaryCode(error) === CORRUPT;
}

/** Tells whether SQLite, not our code, threw it. */
function isSqlite(error: unknown): boolean {
  return error instanceof Error && "code" in error &&
    error.code === "ERR_SQLITE_ERROR";
}

// `exec` and opening give no number, only the words.
function primaryCode(error: unknown): number | undefined {
  if (!isSqlite(error)) return undefined;
  const { errcode, message } = error as Error & { errcode?: number };
  // Ours are all there: one that is not was lost.
  if (/^no such (table|column|index):/.test(message)) return CORRUPT;
  if (typeof errcode === "number") return errcode & 0xff;
  const known = WORDS.find(([words]) => message.includes(words));
  return known?.[1];
}

const BUSY = 5;
const LOCKED = 6;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

const DAMAGE: ReadonlySet<number> = new Set([CORRUPT, NOT_A_DATABASE]);

const WORDS: readonly (readonly [string, number])[] = [
  ["database is locked", BUSY],
  ["database table is locked", LOCKED],
  ["readonly database", 8],
  ["disk I/O error", 10],
  ["malformed", CORRUPT],
  ["disk is full", 13],
  ["unable to open database file", 14],
  ["not a database", NOT_A_DATABASE],
];

const REASONS: Readonly<Record<number, string>> = {
  5: "another process keeps the database locked, close it or try again",
  6: "another process keeps the database locked, close it or try again",
  8: "the file or its folder is read-only",
  10: "the disk reports an error",
  11:
    "the file is damaged; it is left as it is, mm doctor --repair saves what can be read",
  13: "the disk is full, free some space and try again",
  14: "the file cannot be opened, check who owns it and its folder",
  26:
    "the file is not a SQLite database; it is left as it is, move it away or choose another path",
};
