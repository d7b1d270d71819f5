import type { Database, Row } from "./database.ts";
import { isDamage } from "./errors.ts";
import { sizeOf } from "./open.ts";

/**
 * The rows of `events` that can be reached in a damaged database, by session
 * and in order. It goes through the table itself, and past what it cannot read.
 */
export function reachable(db: Database): ReadonlyMap<string, number[]> {
  const found = new Map<string, number[]>();
  const last = lastRow(db);
  let many = true; // at once; one by one where something is damaged
  let failures = 0;
  for (let after = 0; after < last;) {
    const rows = tryAll(db, many ? MANY : ONE, after);
    if (rows) {
      for (const { id, session_id } of rows) {
        const session = String(session_id);
        const ids = found.get(session);
        if (ids) ids.push(Number(id));
        else found.set(session, [Number(id)]);
      }
      if (rows.length === 0) break;
      after = Number(rows.at(-1)?.id);
      many ||= failures === 0;
      failures = 0;
    } else if (many) many = false;
    else after += 1 + Math.floor(failures++ / 20); // pages hold some ten rows, damage may span many
  }
  return found;
}

const ONE =
  "SELECT id, session_id FROM events NOT INDEXED WHERE id > ? ORDER BY id LIMIT 1";
const MANY = ONE.replace(/1$/, "200");

// Ids are never used twice, so there may be more of them than rows.
function lastRow(db: Database): number {
  const [known] =
    tryAll(db, "SELECT seq FROM sqlite_sequence WHERE name = 'events'") ?? [];
  return Number(known?.seq ?? sizeOf(db.path));
}

/** All rows of a query; undefined when what it needs is damaged. */
export function tryAll(
  db: Database,
  sql: string,
  ...values: (string | number)[]
): readonly Row[] | undefined {
  try {
    return db.all(sql, ...values);
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}
