import type { SessionEvent } from "../../core/event.ts";
import { isId } from "../../core/id.ts";
import { lighten } from "../../core/light.ts";
import { begins } from "../../core/store.ts";
import type { Database, Row } from "./database.ts";
import { Joiner } from "./joiner.ts";
import { stand } from "./log.ts";
import { isPart, PARTS } from "./parts.ts";
import { reachable, tryAll } from "./reachable.ts";
import { type Stored, storedIn } from "./rows.ts";
import { catchUpWhole } from "./text_index.ts";

/** What could be saved of a damaged database. */
export interface Salvaged {
  /** Conversations that are complete. */
  readonly whole: number;
  /** Those of which the end is missing. */
  readonly cut: readonly { readonly id: string; readonly seq: number }[];
  /** Those of which nothing can be read. */
  readonly lost: readonly string[];
  /** There may have been more: not even their ids can be read. */
  readonly unnamed: boolean;
}

/** Copies into an empty database what can be read in a damaged one: of each session all events up to the first unreadable one. */
export function salvage(from: Database, to: Database): Salvaged {
  const { rows, standings, allRows, allNamed } = reachable(from);
  // Where that is not known, more may have come.
  const end = (id: string) => standings.get(id) || (allRows ? 0 : Infinity);
  let whole = 0;
  const cut: { id: string; seq: number }[] = [];
  const lost: string[] = [];
  for (const id of new Set([...standings.keys(), ...rows.keys()])) {
    if (!isId(id)) continue; // damaged itself
    const all = rows.get(id) ?? [];
    const copied = to.write(() => copySession(id, all, { from, to }));
    if (!copied) lost.push(id);
    else if (!copied.whole || copied.seq < end(id)) {
      cut.push({ id, seq: copied.seq });
    } else whole++;
  }
  to.write(() => {
    for (const table of BESIDE) copyTable(table, from, to);
    catchUpWhole(to);
  });
  return { whole, cut, lost, unnamed: !allNamed };
}

// Undefined when not even its beginning is there.
function copySession(
  id: string,
  rows: readonly number[],
  { from, to }: { readonly from: Database; readonly to: Database },
): { readonly seq: number; readonly whole: boolean } | undefined {
  const joiner = new Joiner();
  let copied = 0;
  let bytes = 0;
  for (const row of rows) {
    const [found] = tryAll(from, "SELECT * FROM events WHERE id = ?", row) ??
      [];
    if (!found || !goesOn(joiner, String(found.data))) break;
    insert("events", found, to);
    copied++;
    bytes += String(found.data).length;
  }
  const [first] = rows;
  if (first === undefined || copied === 0) return undefined;
  const whole = copied === rows.length && joiner.missing === 0;
  // Only the first event of a session has parts: those that came are all now.
  const last = joiner.missing > 0 ? joiner.close() : undefined;
  if (last !== undefined) to.run(FEWER_PARTS, copied - 1, first);
  const light = lighten(joiner.events);
  stand(to, id, { light, bytes });
  return { seq: last ?? light.seq, whole };
}

const FEWER_PARTS =
  `UPDATE events SET data = json_set(data, '$."${PARTS}"', ?) WHERE id = ?`;

function goesOn(joiner: Joiner, data: string): boolean {
  const stored = storedIn(data);
  return stored !== undefined && follows(stored, joiner.events.at(-1)) &&
    joiner.add(stored) === undefined;
}

function follows(stored: Stored, last: SessionEvent | undefined): boolean {
  if (isPart(stored)) return last !== undefined; // the joiner knows of which
  return last ? stored.seq === last.seq + 1 : begins(stored);
}

/** What else is known of the events, which keep their ids. */
const BESIDE = ["event_memory", "legacy_sessions", "legacy_notes"];

function copyTable(table: string, from: Database, to: Database): void {
  const rows = tryAll(from, `SELECT * FROM ${table} NOT INDEXED`) ?? [];
  const saved = (id: unknown) =>
    to.get("SELECT 1 FROM events WHERE id = ?", Number(id)) !== undefined;
  for (const row of rows) {
    if (table === "event_memory" && !saved(row.event_id)) continue;
    insert(table, row, to);
  }
}

function insert(table: string, row: Row, to: Database): void {
  const names = Object.keys(row);
  const marks = names.map(() => "?").join(", ");
  to.run(
    `INSERT OR IGNORE INTO ${table} (${names.join(", ")}) VALUES (${marks})`,
    ...Object.values(row),
  );
}
