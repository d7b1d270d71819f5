import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { isId } from "../../../core/id.ts";
import { SqliteLab } from "./lab.ts";
import { INSERT, type LegacyRow, legacyRows, SCHEMA } from "./legacy.ts";

const COUNT = 10_000;

Deno.test("a database with the older table messages becomes sessions, every row accounted for", async () => {
  await using lab = await SqliteLab.create({ project: "/work/old" });
  const rows = legacyRows(COUNT);
  fill(lab, rows);
  const { items } = await lab.store.list({ limit: 100 });
  const legacy = lab.query("SELECT * FROM legacy_sessions");
  assert.deepEqual(
    new Set(legacy.map((l) => l.legacy_id)),
    new Set(rows.map((row) => row[1])),
  );
  assert.equal(items.length, legacy.length);
  assert(
    items.every((s) => isId(s.id) && s.cwd === "/work/old" && !s.unreadable),
  );

  const states = await Promise.all(items.map((s) => lab.store.read(s.id)));
  for (const state of states) assert.equal(state?.open, undefined);
  const kept = lab.query(
    `SELECT m.*, e.data, e.created_at, e.consolidated_at FROM event_memory AS m
     JOIN events AS e ON e.id = m.event_id ORDER BY m.message_id`,
  );
  assert.equal(kept.length, COUNT);
  const byId = new Map(kept.map((k) => [String(k.message_id), k]));
  assert.equal(byId.size, COUNT);
  for (const [n, row] of rows.entries()) {
    const found = byId.get(row[0] ?? `legacy-${n + 1}`);
    assert(found, `row ${n} is lost`);
    const [, , , , , , , at, importance, embedding, error, done] = row;
    if (typeof importance === "number") {
      assert.equal(found.importance, importance);
    }
    assert.deepEqual(found.embedding, embedding);
    assert.equal(found.embedding_error, error);
    assert.equal(found.consolidated_at, done);
    if (at !== "yesterday") {
      assert.equal(found.created_at, new Date(at).toISOString());
    }
    assert(
      !row[3] || !(typeof row[3] === "string") ||
        String(found.data).includes(row[3]),
    );
  }
  const notes = lab.query("SELECT * FROM legacy_notes");
  const noted = new Set(notes.map(idOf));
  // An embedding written as text is as good as one in bytes.
  const bad = rows.flatMap((row, n) =>
    n % 50 === 49 && typeof row[9] !== "string"
      ? [row[0] ?? `legacy-${n + 1}`]
      : []
  );
  assert.equal(bad.length, 180);
  assert.deepEqual(noted, new Set(bad));
  assert.deepEqual(
    lab.query("SELECT name FROM sqlite_schema WHERE name = 'messages'"),
    [],
  );
  const words = await Array.fromAsync(
    lab.store.search({ text: "question 400" }),
  );
  assert.equal(words[0]?.snippet, "question 400");
});

Deno.test("a migrated conversation reads in order, with its calls and their results", async () => {
  await using lab = await SqliteLab.create();
  fill(lab, legacyRows(200));
  const id = await sessionOf(lab, "telegram:3");
  const state = await lab.store.read(id);
  assert.equal(state?.title, "question 3");
  assert.equal(state?.model, "legacy-messages-migration");
  assert.equal(state?.turns, 5);
  const messages = state?.messages.filter((m) => m.role !== "system") ?? [];
  const roles = messages.map((m) => m.role);
  assert.deepEqual(roles.slice(0, 8), [
    "user",
    "assistant",
    "tool",
    "assistant",
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
  const [, call, result] = messages;
  assert(call?.role === "assistant" && result?.role === "tool");
  assert.deepEqual(call.toolCalls, [
    {
      id: result.toolCallId,
      name: "terminal",
      arguments: { command: "ls 13" },
    },
  ]);
  const times = messages.map((m) => m.at);
  assert.deepEqual(times, times.toSorted());
});

Deno.test("the migration happens once, after a backup that holds all as it was", async () => {
  await using lab = await SqliteLab.create();
  fill(lab, legacyRows(100));
  lab.script(
    "INSERT INTO facts VALUES (1, 'user', 'name', 'Ada', 'user', '', '')",
  );
  const first = (await lab.store.list()).items;
  await lab.store[Symbol.asyncDispose]();
  const second = (await lab.fresh().list()).items;
  assert.deepEqual(second, first);
  assert.equal(lab.query("SELECT count(*) AS n FROM facts")[0]?.n, 1);
  const backups = lab.names().filter((name) => name.includes(".backup-"));
  assert.equal(backups.length, 1);
  const path = `${lab.project}/.mm/${backups[0]}`;
  if (Deno.build.os !== "windows") {
    assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
  }
  const db = new DatabaseSync(path, { readOnly: true });
  const { n } = db.prepare("SELECT count(*) AS n FROM messages").get()!;
  db.close();
  assert.equal(n, 100);
});

Deno.test("the older program's own events stay, and what they hold twice is noted", async () => {
  await using lab = await SqliteLab.create();
  fill(lab, legacyRows(20));
  lab.script(`
    CREATE TABLE events (
      id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
      event_type TEXT NOT NULL, data TEXT NOT NULL, created_at TEXT NOT NULL,
      consolidated_at TEXT, task_id TEXT, tool_name TEXT
    );
    INSERT INTO events (session_id, event_type, data, created_at) VALUES
      ('telegram:3', 'user_message', '{"message_id":"message-000003"}', 'x'),
      ('telegram:3', 'thinking_start', '{not json', 'x')`);
  assert.equal((await lab.store.list()).items.length, 10);
  const [note] = lab.query("SELECT * FROM legacy_notes");
  assert.match(String(note?.note), /the older program holds it too/);
  const old = lab.query("SELECT * FROM events WHERE session_id = 'telegram:3'");
  assert.equal(old.length, 2);
});

Deno.test("a migration that fails changes nothing", async () => {
  await using lab = await SqliteLab.create();
  fill(lab, legacyRows(20));
  lab.script("CREATE TABLE legacy_notes (other)"); // in our way
  await assert.rejects(lab.store.list(), /legacy_notes/);
  assert.equal(lab.query("SELECT count(*) AS n FROM messages")[0]?.n, 20);
  assert.equal(lab.query("PRAGMA user_version")[0]?.user_version, 0);
  lab.script("DROP TABLE legacy_notes");
  assert.equal((await lab.fresh().list()).items.length, 10);
});

Deno.test("two processes that open an older database at once migrate it once", async () => {
  await using lab = await SqliteLab.create();
  fill(lab, legacyRows(500));
  const stores = [lab.store, lab.fresh(), lab.fresh()];
  const lists = await Promise.all(stores.map((store) => store.list()));
  for (const { items } of lists) assert.equal(items.length, 11);
  const [{ n } = {}] = lab.query("SELECT count(*) AS n FROM event_memory");
  assert.equal(n, 500);
});

function fill(lab: SqliteLab, rows: readonly LegacyRow[]): void {
  lab.script(SCHEMA);
  const db = new DatabaseSync(lab.path);
  const insert = db.prepare(INSERT);
  db.exec("BEGIN");
  for (const row of rows) insert.run(...row);
  db.exec("COMMIT");
  db.close();
}

async function sessionOf(lab: SqliteLab, legacyId: string): Promise<string> {
  await lab.store.list(); // migrates
  const sql = "SELECT session_id FROM legacy_sessions WHERE legacy_id = ?";
  return String(lab.query(sql, legacyId)[0]?.session_id);
}

function idOf(note: Record<string, unknown>): string {
  const { id, rowid_ } = JSON.parse(String(note.legacy_row));
  return id ?? `legacy-${rowid_}`;
}
