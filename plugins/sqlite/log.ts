import type { SessionEvent } from "../../core/event.ts";
import { fromGist, gistOf, type Light, lighten } from "../../core/light.ts";
import type { Database } from "./database.ts";
import { rowsOf } from "./rows.ts";

/** Where a session stands. */
export interface Standing {
  /** Never used twice. */
  readonly key: number;
  readonly seq: number;
  /** What its events take. */
  readonly bytes: number;
  /** Undefined when it is damaged. */
  readonly light: Light | undefined;
}

/** Where a session stands; undefined when there is none. */
export function standing(db: Database, id: string): Standing | undefined {
  const row = db.get(
    "SELECT key, seq, bytes, gist FROM sessions WHERE id = ?",
    id,
  );
  return row && {
    key: Number(row.key),
    seq: Number(row.seq),
    bytes: Number(row.bytes),
    light: lightOf(String(row.gist)),
  };
}

/** Adds events to a session, or starts it; gives its key and the id of each event's row. Call it in a transaction. */
export function addEvents(
  db: Database,
  { id, before }: {
    readonly id: string;
    readonly before?: Standing | undefined;
  },
  events: readonly SessionEvent[],
): { readonly key: number; readonly rows: readonly number[] } {
  let bytes = before?.bytes ?? 0;
  const rows = events.map((event) => {
    let first: number | undefined;
    for (const { type, data, at, tool } of rowsOf(event)) {
      bytes += data.length;
      const row = db.run(INSERT, id, type, data, at, tool);
      first ??= row;
    }
    return first ?? 0;
  });
  const light = lighten(events, before?.light);
  return { key: stand(db, id, { key: before?.key, light, bytes }), rows };
}

/** Records where a session stands now; gives its key, a new one when it had none. Call it in a transaction. */
export function stand(
  db: Database,
  id: string,
  { key, light, bytes }: {
    readonly key?: number | undefined;
    readonly light: Light;
    readonly bytes: number;
  },
): number {
  const gist = JSON.stringify(gistOf(light));
  const values = [light.seq, bytes, light.updatedAt, gist];
  if (key === undefined) return db.run(START, id, ...values);
  db.run(GO_ON, ...values, key);
  return key;
}

const INSERT =
  "INSERT INTO events (session_id, event_type, data, created_at, tool_name) VALUES (?, ?, ?, ?, ?)";
const START =
  "INSERT INTO sessions (id, seq, bytes, updated_at, gist) VALUES (?, ?, ?, ?, ?)";
const GO_ON =
  "UPDATE sessions SET seq = ?, bytes = ?, updated_at = ?, gist = ? WHERE key = ?";

/** Gives a session another id. Call it in a transaction. */
export function renameSession(db: Database, from: string, to: string): void {
  db.run("UPDATE events SET session_id = ? WHERE session_id = ?", to, from);
  db.run("UPDATE sessions SET id = ? WHERE id = ?", to, from);
}

/** Forgets a session. Call it in a transaction. */
export function deleteSession(db: Database, id: string): void {
  for (const sql of DELETE) db.run(sql, id);
  // Gives the space back to the disk, some of it: nothing else goes on meanwhile.
  db.all("PRAGMA incremental_vacuum(5000)");
}

const DELETE = [
  "DELETE FROM message_text WHERE rowid IN (SELECT id FROM events WHERE session_id = ?)",
  "DELETE FROM event_memory WHERE event_id IN (SELECT id FROM events WHERE session_id = ?)",
  "DELETE FROM events WHERE session_id = ?",
  "DELETE FROM sessions WHERE id = ?",
];

/** The light state kept as JSON; undefined when it is damaged. */
export function lightOf(gist: string): Light | undefined {
  try {
    return fromGist(JSON.parse(gist));
  } catch {
    return undefined; // whoever needs it says so
  }
}
