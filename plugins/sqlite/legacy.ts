import { createHash } from "node:crypto";
import type { EventDraft, SessionEvent } from "../../core/event.ts";
import { isId } from "../../core/id.ts";
import type { Database, Row, Value } from "./database.ts";
import { type LegacyMessage, legacyMessage } from "./legacy_message.ts";
import { addEvents } from "./log.ts";

/** Tells whether an older program keeps its conversations here, in a table `messages`. */
export function hasLegacyMessages(db: Database): boolean {
  const names = db.all("PRAGMA table_info(messages)").map(({ name }) => name);
  return ["id", "session_id", "role", "content", "created_at"]
    .every((name) => names.includes(name));
}

/**
 * Makes a session of each conversation in the table `messages` and drops the
 * table. Each row becomes one message; what could not be kept as it was is
 * told in `legacy_notes`. Call it in a transaction.
 */
export function migrateMessages(
  db: Database,
  host: { readonly project: string },
): void {
  if (!hasLegacyMessages(db)) return;
  const known = knownEvents(db);
  for (const [legacyId, messages] of conversations(db)) {
    const id = sessionId(legacyId, messages[0]?.at ?? "");
    db.run("INSERT INTO legacy_sessions VALUES (?, ?)", legacyId, id);
    const { events, of } = eventsOf(messages, host.project);
    const { rows } = addEvents(db, { id }, events);
    for (const [i, row] of rows.entries()) {
      const message = of[i];
      if (message) keep(db, row, message, known);
    }
  }
  db.script("DROP TABLE messages");
}

interface TimedMessage extends LegacyMessage {
  readonly at: string;
}

function conversations(
  db: Database,
): ReadonlyMap<string, readonly TimedMessage[]> {
  const all = db.all("SELECT rowid AS rowid_, * FROM messages ORDER BY rowid")
    .map(legacyMessage);
  const groups = Map.groupBy(all, ({ session }) => session);
  return new Map([...groups].map(([id, group]) => [id, inOrder(group)]));
}

// Without a time of its own, a row has that of the one before, never today's:
// the same database gives the same conversations each time it is taken over.
function inOrder(group: readonly LegacyMessage[]): readonly TimedMessage[] {
  let last = group.find(({ at }) => at !== undefined)?.at ?? NO_TIME;
  const timed = group.map((m) => ({ ...m, at: last = m.at ?? last }));
  // What has one time stays in its order.
  return timed.sort((a, b) => compare(a.at, b.at));
}

const NO_TIME = new Date(0).toISOString();

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

// The same each time, so that a second try gives the same ids.
function sessionId(legacyId: string, at: string): string {
  const hash = createHash("sha256").update(legacyId).digest("hex").slice(0, 8);
  const digits = at.replaceAll(/\D/g, "");
  const id = `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${hash}`;
  return isId(id) ? id : `19700101-000000-${hash}`;
}

/** A conversation as events, and which message each one is of. */
function eventsOf(
  messages: readonly TimedMessage[],
  cwd: string,
): {
  readonly events: readonly SessionEvent[];
  readonly of: readonly (LegacyMessage | undefined)[];
} {
  const events: SessionEvent[] = [];
  const of: (LegacyMessage | undefined)[] = [];
  const add = (draft: EventDraft, at: string, message?: LegacyMessage) => {
    events.push({ ...draft, seq: events.length + 1, at });
    of.push(message);
  };
  let open = false; // no turn is left open: it would count as interrupted
  let last = messages[0]?.at ?? "";
  add({ type: "opened", cwd, model: MODEL }, last);
  for (const entry of messages) {
    if (open && entry.message.role === "user") add(SETTLED, last);
    last = entry.at;
    add({ type: "message", message: entry.message }, last, entry);
    open ||= entry.message.role === "user";
  }
  if (open) add(SETTLED, last);
  return { events, of };
}

const MODEL = "legacy-messages-migration";
const SETTLED: EventDraft = { type: "settled", reason: "end_turn" };

function keep(
  db: Database,
  row: number,
  message: LegacyMessage,
  known: ReadonlySet<string>,
): void {
  const { id, importance, embedding, embeddingError, consolidatedAt } = message;
  const memory = [importance, embedding, embeddingError];
  db.run(`INSERT INTO event_memory VALUES (?, ?, ?, ?, ?)`, row, id, ...memory);
  if (consolidatedAt) {
    const sql = "UPDATE events SET consolidated_at = ? WHERE id = ?";
    db.run(sql, consolidatedAt, row);
  }
  const twice = known.has(knownKey(message.session, id))
    ? ["an event of the older program holds it too"]
    : [];
  for (const note of [...message.notes, ...twice]) {
    db.run(NOTE, JSON.stringify(message.row, readable), row, note);
  }
}

const NOTE =
  "INSERT INTO legacy_notes (legacy_row, event_id, note) VALUES (?, ?, ?)";

function readable(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? { hex: value.toHex() } : value;
}

// The older program's own events stay where they are; they are no part of a session.
function knownEvents(db: Database): ReadonlySet<string> {
  const rows: readonly Row[] = db.all(
    "SELECT session_id, data ->> 'message_id' AS message_id FROM events WHERE json_valid(data)",
  );
  return new Set(rows.map((r) => knownKey(r.session_id, r.message_id)));
}

function knownKey(session: Value | undefined, id: Value | undefined): string {
  return JSON.stringify([String(session), String(id)]);
}
