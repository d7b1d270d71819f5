import { UnreadableError } from "../../core/error.ts";
import type { Finding } from "../../core/store.ts";
import type { Database } from "./database.ts";
import { isDamage } from "./errors.ts";
import { tryAll } from "./reachable.ts";
import { isWhole, rebuild } from "./text_index.ts";

/** What is wrong with a database; nothing when it is sound. */
export function problemsOf(db: Database): readonly string[] {
  return db.still(() => problemsNow(db));
}

function problemsNow(db: Database): readonly string[] {
  refresh(db);
  const said = db.all("PRAGMA integrity_check(3)")
    .map((row) => String(Object.values(row)[0]).replaceAll(/\s*\n\s*/g, ", "));
  if (said.length !== 1 || said[0] !== "ok") return said;
  return [
    ...strays(db),
    ...isWhole(db) ? [] : ["the full-text index lacks messages"],
  ];
}

// An index keeps in memory what it last saw, and integrity_check takes what
// another process wrote since for damage; a query makes it look anew.
function refresh(db: Database): void {
  tryAll(
    db,
    "SELECT rowid FROM message_text WHERE message_text MATCH 'x' LIMIT 1",
  );
}

// What the table sessions does not name, nobody finds.
function strays(db: Database): readonly string[] {
  const row = db.get(STRAYS);
  return row?.count === 0
    ? []
    : [`events of ${row?.count} conversations are in no list`];
}

const STRAYS = `SELECT count(DISTINCT session_id) AS count FROM events
  WHERE session_id NOT IN (SELECT id FROM sessions)`;

/**
 * Builds anew what can be built from the rest: the indexes. Throws an
 * UnreadableError, and changes nothing, when more than they is damaged. Call
 * it in a transaction.
 */
export function mend(db: Database): readonly Finding[] {
  const before = problemsOf(db);
  if (before.length === 0) return [];
  try {
    rebuild(db);
    db.script("REINDEX");
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw deeper(db, before, error);
  }
  if (problemsOf(db).length > 0) throw deeper(db, before);
  const detail = `${db.path} had a damaged index (${
    before.join("; ")
  }): it is built anew, nothing is lost`;
  return [{ status: "ok", detail }];
}

function deeper(
  { path }: Database,
  problems: readonly string[],
  cause?: unknown,
): UnreadableError {
  return new UnreadableError(
    `Cannot mend session database "${path}": ${problems.join("; ")}`,
    { cause },
  );
}
