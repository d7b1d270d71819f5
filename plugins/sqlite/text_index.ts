import type { SessionEvent } from "../../core/event.ts";
import type { Database } from "./database.ts";
import { searchText } from "./rows.ts";

/** Events that may wait to be indexed: a few at once cost far less than one by one. */
export const MAX_WAITING = 64;

/** Tells whether events wait to be indexed. */
export function isBehind(db: Database): boolean {
  return db.get(`${WAITING} LIMIT 1`) !== undefined;
}

/** Indexes what was said since the last time, by whomever. Call it in a transaction. */
export function catchUp(db: Database): void {
  for (const { id, data } of db.all(`${WAITING} ORDER BY e.id`)) {
    const text = textOf(String(data));
    // An empty one is indexed too, so that it is behind us.
    db.run(
      "INSERT INTO message_text (rowid, text) VALUES (?, ?)",
      id ?? 0,
      text,
    );
  }
}

/** Tells whether the index has all it should have by now; what waits does not count. */
export function isWhole(db: Database): boolean {
  const counts = db.get(`
SELECT (SELECT count(*) FROM message_text_docsize) AS indexed,
  (SELECT count(*) FROM events AS e WHERE e.id <= ${NEWEST} AND ${SPOKEN}) AS said`);
  return counts?.indexed === counts?.said;
}

/** Makes the index anew. Call it in a transaction. */
export function rebuild(db: Database): void {
  db.run("INSERT INTO message_text (message_text) VALUES ('delete-all')");
  catchUp(db);
}

// The index grows with the ids, which are never used twice.
const NEWEST = "(SELECT coalesce(max(id), 0) FROM message_text_docsize)";

const SPOKEN =
  "e.event_type IN ('user_message', 'assistant_response', 'tool_result', 'restored')";

const WAITING =
  `SELECT e.id AS id, e.data AS data FROM events AS e WHERE e.id > ${NEWEST} AND ${SPOKEN}`;

// A damaged row is told to who reads the session.
function textOf(data: string): string {
  try {
    return searchText(JSON.parse(data) as SessionEvent);
  } catch {
    return "";
  }
}
