import type { Database, Row, Value } from "./database.ts";
import { isDamage } from "./errors.ts";
import { sizeOf } from "./open.ts";

/** What can be found in a damaged database. */
export interface Reached {
  /** The rows of `events` by session, in order; not all of them can be read. */
  readonly rows: ReadonlyMap<string, readonly number[]>;
  /** Where each session stood; 0 where that cannot be read. */
  readonly standings: ReadonlyMap<string, number>;
  /** No row of `events` is missing. */
  readonly allRows: boolean;
  /** Something still names every session that was in it. */
  readonly allNamed: boolean;
}

/**
 * Looks for the sessions of a damaged database wherever one is named: in the
 * tables, past what cannot be read in them, and in their indexes.
 */
export function reachable(db: Database): Reached {
  const rows = new Map<string, number[]>();
  const standings = new Map<string, number>();
  const complete = [
    walk(db, EVENTS, ({ place, id }) => addRow(rows, id, place)),
    scan(db, EVENTS_INDEX, ({ place, id }) => addRow(rows, id, place)),
    walk(db, SESSIONS, ({ id, seq }) => standings.set(`${id}`, Number(seq))),
    scan(db, SESSIONS_INDEX, ({ id }) => addName(standings, id)),
  ];
  for (const [id, places] of rows) rows.set(id, inOrder(places));
  const allRows = complete.slice(0, 2).includes(true);
  return { rows, standings, allRows, allNamed: complete.includes(true) };
}

interface Table {
  readonly name: string;
  readonly place: string;
  readonly columns: string;
}

const EVENTS = { name: "events", place: "id", columns: "session_id AS id" };
const SESSIONS = { name: "sessions", place: "key", columns: "id, seq" };

/** How an index is gone through, from either end. */
interface Index {
  readonly forth: string;
  readonly back: string;
  /** Before the first key, and after the last one. */
  readonly ends: readonly [Key, Key];
}

type Key = readonly (string | number)[];

// Each is answered by its index alone, whatever became of the table.
const EVENTS_INDEX: Index = {
  forth:
    "SELECT session_id AS id, id AS place FROM events INDEXED BY idx_events_session WHERE (session_id, events.id) > (?, ?) ORDER BY session_id, events.id LIMIT ?",
  back:
    "SELECT session_id AS id, id AS place FROM events INDEXED BY idx_events_session WHERE (session_id, events.id) < (?, ?) ORDER BY session_id DESC, events.id DESC LIMIT ?",
  ends: [["", 0], ["~", 0]],
};
const SESSIONS_INDEX: Index = {
  forth: "SELECT id FROM sessions WHERE id > ? ORDER BY id LIMIT ?",
  back: "SELECT id FROM sessions WHERE id < ? ORDER BY id DESC LIMIT ?",
  ends: [[""], ["~"]],
};

function addRow(rows: Map<string, number[]>, id?: Value, place?: Value): void {
  const places = rows.get(`${id}`);
  if (places) places.push(Number(place));
  else rows.set(`${id}`, [Number(place)]);
}

function addName(standings: Map<string, number>, id?: Value): void {
  if (!standings.has(`${id}`)) standings.set(`${id}`, 0);
}

function inOrder(places: readonly number[]): number[] {
  return [...new Set(places)].sort((a, b) => a - b);
}

// Goes through a table by the places of its rows, past what is damaged; true
// when nothing was.
function walk(
  db: Database,
  { name, place, columns }: Table,
  each: (row: Row) => void,
): boolean {
  const sql =
    `SELECT ${place} AS place, ${columns} FROM ${name} NOT INDEXED WHERE ${place} > ? ORDER BY ${place} LIMIT ?`;
  const last = lastPlace(db, name);
  let many = true; // at once; one by one where something is damaged
  let failures = 0;
  let whole = true;
  for (let after = 0; after < last;) {
    const rows = tryAll(db, sql, after, many ? MANY : 1);
    if (rows) {
      for (const row of rows) each(row);
      if (rows.length === 0) break;
      after = Math.max(after + 1, Number(rows.at(-1)?.place));
      many ||= failures === 0;
      failures = 0;
    } else {
      whole = false;
      if (many) many = false;
      else after += 1 + Math.floor(failures++ / 20); // pages hold some ten rows, damage may span many
    }
  }
  return whole;
}

const MANY = 200;

// Places are never used twice, so there may be more of them than rows.
function lastPlace(db: Database, table: string): number {
  const [known] =
    tryAll(db, "SELECT seq FROM sqlite_sequence WHERE name = ?", table) ?? [];
  return Number(known?.seq ?? sizeOf(db.path));
}

// Goes through an index up to what is damaged, from both ends; true when
// nothing was.
function scan(
  db: Database,
  { forth, back, ends: [first, last] }: Index,
  each: (row: Row) => void,
): boolean {
  if (scanOn(db, forth, first, each)) return true;
  scanOn(db, back, last, each);
  return false;
}

function scanOn(
  db: Database,
  sql: string,
  from: Key,
  each: (row: Row) => void,
): boolean {
  const passed = new Set<string>(); // a damaged index may lead in a circle
  let limit = MANY;
  for (let key = from; !passed.has(key.join());) {
    const rows = tryAll(db, sql, ...key, limit);
    if (rows?.length === 0) return true;
    if (!rows && limit === 1) return false;
    if (!rows) {
      limit = 1;
      continue;
    }
    for (const row of rows) each(row);
    passed.add(key.join());
    key = Object.values(rows.at(-1) ?? {}) as Key;
  }
  return false;
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
