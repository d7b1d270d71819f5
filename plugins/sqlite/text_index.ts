import type { Database, Row } from "./database.ts";
import { isPart, PART } from "./parts.ts";
import { searchText, storedIn } from "./rows.ts";
import INDEX from "./text_index.sql" with { type: "text" };

/** Events that may wait to be indexed: a few at once cost far less than one by one. */
export const MAX_WAITING = 64;

/** Tells whether events wait to be indexed. */
export function isBehind(db: Database): boolean {
  return db.get(`${WAITING} LIMIT 1`) !== undefined;
}

/**
 * Indexes some of what was said since the last time, by whomever, and forgets
 * what was taken back; tells whether more waits. Call it in a transaction of
 * its own: nobody else writes meanwhile.
 */
export function catchUp(db: Database): boolean {
  for (let size = 0; size < MAX_SIZE;) {
    const rows = db.all(`${WAITING} ORDER BY e.id LIMIT ${SLICE_ROWS}`);
    for (const row of rows) {
      add(db, row);
      size += String(row.data).length;
    }
    if (rows.length < SLICE_ROWS) return false;
  }
  return true;
}

const MAX_SIZE = 4_000_000; // some tenths of a second
const SLICE_ROWS = 20; // a part of a long conversation is large

/** Indexes all of it. Call it in a transaction. */
export function catchUpWhole(db: Database): void {
  while (catchUp(db));
}

/** Tells whether the index has all it should have by now; what waits does not count. */
export function isWhole(db: Database): boolean {
  const counts = db.get(`
SELECT (SELECT count(*) FROM message_text_docsize) AS indexed,
  (SELECT count(*) FROM events AS e WHERE e.id <= ${NEWEST} AND ${TOLD}) AS told`);
  return counts?.indexed === counts?.told;
}

/** Makes the index, an empty one: `catchUp` fills it. Call it in a transaction. */
export function makeIndex(db: Database): void {
  db.script(INDEX);
}

/** Makes the index anew. Call it in a transaction. */
export function rebuild(db: Database): void {
  makeIndex(db);
  catchUpWhole(db);
}

/**
 * Takes some of what a session said out of the index; tells whether more is
 * left. Each word is overwritten where it stands, so a long conversation takes
 * its time. Call it in a transaction of its own: others write in between.
 */
export function forgetSome(db: Database, session: string): boolean {
  const rows = db.all(INDEXED, session, SLICE_ROWS);
  let size = 0;
  for (const row of rows) {
    if (size > MAX_FORGOTTEN) return true;
    db.run("UPDATE message_text SET text = '' WHERE rowid = ?", Number(row.id));
    size += Number(row.size);
  }
  return rows.length === SLICE_ROWS;
}

const INDEXED = `SELECT e.id AS id, length(t.text) AS size FROM events AS e
  CROSS JOIN message_text AS t ON t.rowid = e.id
  WHERE e.session_id = ? AND t.text <> '' LIMIT ?`;

const MAX_FORGOTTEN = 100_000; // some tenths of a second

const WHOLE = `e.event_type IN ('restored', '${PART}')`;

/** Where what was taken back begins in a row `e` of a whole conversation; null where nothing was. */
export const GONE = `CASE WHEN ${WHOLE} THEN (
  SELECT min(w.data ->> 'from') FROM events AS w
  WHERE w.session_id = e.session_id AND w.event_type = 'withdrawn' AND json_valid(w.data)
) END`;

// The index grows with the ids, which are never used twice.
const NEWEST = "(SELECT coalesce(max(id), 0) FROM message_text_docsize)";

const TOLD =
  `e.event_type IN ('user_message', 'assistant_response', 'tool_result', 'restored', '${PART}', 'withdrawn')`;

const WAITING =
  `SELECT e.id AS id, e.session_id AS session, e.data AS data FROM events AS e WHERE e.id > ${NEWEST} AND ${TOLD}`;

function add(db: Database, { id, session, data }: Row): void {
  const stored = storedIn(String(data));
  const text = stored ? searchText(stored) : "";
  // An empty one is indexed too, so that it is behind us.
  db.run(
    "INSERT INTO message_text (rowid, text) VALUES (?, ?)",
    Number(id),
    text,
  );
  if (!stored || isPart(stored) || stored.type !== "withdrawn") return;
  // In a session no `seq` is left out, so they are in the rows just before.
  const count = Math.floor(stored.seq - stored.from);
  if (!(count > 0)) return;
  const most = Math.min(count, Number.MAX_SAFE_INTEGER);
  for (const row of db.all(BEFORE, String(session), Number(id), most)) {
    forget(db, row);
  }
}

const BEFORE =
  `SELECT e.id AS id, ${GONE} AS gone, CASE WHEN ${WHOLE} THEN e.data END AS whole
  FROM events AS e WHERE e.session_id = ? AND e.id < ? ORDER BY e.id DESC LIMIT ?`;

// Of a whole conversation, what was said before stays.
function forget(db: Database, { id, whole, gone }: Row): void {
  const stored = typeof whole === "string" ? storedIn(whole) : undefined;
  const text = stored ? searchText(stored, Number(gone)) : "";
  db.run("UPDATE message_text SET text = ? WHERE rowid = ?", text, Number(id));
}
