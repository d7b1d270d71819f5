import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  ConflictError,
  UnreadableError,
  UserError,
} from "../../../core/error.ts";
import { empty, fold } from "../../../core/fold.ts";
import {
  answer,
  histories,
  history,
  opened,
  question,
  sessionId,
} from "../../store_suite/histories.ts";
import { openForTest } from "../../store_suite/open.ts";
import { SqliteLab } from "./lab.ts";

const id = sessionId(1);
const unix = Deno.build.os !== "windows";

Deno.test("each event is a row in the words of the older table, its data the whole event", async () => {
  await using lab = await SqliteLab.create();
  const events = histories["a settled turn, then a new prompt"]!;
  await lab.store.append(id, events);
  const [failed] = histories["a withdrawn question"]!.slice(-3, -2);
  await lab.store.append(id, [{ ...failed!, seq: events.length + 1 }]);
  const rows = lab.query("SELECT * FROM events ORDER BY id");
  assert.deepEqual(rows.map((row) => row.event_type), [
    "session_start",
    "system_message",
    "user_message",
    "assistant_response",
    "tool_result",
    "tool_result",
    "assistant_response",
    "task_end",
    "system_message",
    "user_message",
    "error",
  ]);
  assert.deepEqual(rows.map((r) => r.tool_name).filter(Boolean), [
    "read",
    "edit",
  ]);
  const data = rows.slice(0, -1).map((row) => JSON.parse(String(row.data)));
  assert.deepEqual(data, events);
  assert.deepEqual(rows.map((r) => r.created_at).slice(0, 2), [
    events[0]!.at,
    events[1]!.at,
  ]);
});

Deno.test("the table events has the columns and indexes of the older program", async () => {
  await using lab = await SqliteLab.create();
  await lab.store.append(id, history([opened()]));
  const columns = lab.query("PRAGMA table_info(events)")
    .map(({ name, type, notnull, pk }) => `${name} ${type} ${notnull} ${pk}`);
  assert.deepEqual(columns, [
    "id INTEGER 0 1",
    "session_id TEXT 1 0",
    "event_type TEXT 1 0",
    "data TEXT 1 0",
    "created_at TEXT 1 0",
    "consolidated_at TEXT 0 0",
    "task_id TEXT 0 0",
    "tool_name TEXT 0 0",
  ]);
  const indexes = lab.query(
    "SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'events'",
  ).map(({ sql }) => String(sql).replaceAll(/\s+/g, " ").split(" ON ")[1]);
  for (
    const index of [
      "events (session_id, created_at DESC)",
      "events (event_type)",
      "events (task_id) WHERE task_id IS NOT NULL",
      "events (consolidated_at) WHERE consolidated_at IS NULL",
      "events (created_at) WHERE consolidated_at IS NOT NULL",
      "events (tool_name, created_at DESC) WHERE event_type = 'tool_result' AND tool_name IS NOT NULL",
    ]
  ) assert(indexes.includes(index), index);
});

Deno.test("files are for this user alone while open, and hidden from git", {
  ignore: !unix,
}, async () => {
  await using lab = await SqliteLab.create();
  await lab.store.append(id, history([opened()]));
  const folder = `${lab.project}/.mm`;
  const mode = (path: string) => (Deno.statSync(path).mode ?? 0) & 0o777;
  assert.equal(mode(folder), 0o700);
  const names = ["sessions.db", "sessions.db-shm", "sessions.db-wal"];
  for (const name of names) assert.equal(mode(`${folder}/${name}`), 0o600);
  assert.equal(await Deno.readTextFile(`${folder}/.gitignore`), "*\n");
  await lab.store[Symbol.asyncDispose]();
  const rest = lab.names().filter((name) => !name.endsWith(".lock"));
  assert.deepEqual(rest, [".gitignore", "sessions.db"]);
});

Deno.test("reading leaves the database as it was, to the byte", async () => {
  await using lab = await SqliteLab.create();
  for (const [n, events] of Object.values(histories).entries()) {
    await lab.store.append(sessionId(n), events);
  }
  await lab.store[Symbol.asyncDispose]();
  const before = await Deno.readFile(lab.path);
  const names = lab.names();
  const reader = lab.fresh();
  for (const { id } of (await reader.list()).items) await reader.read(id);
  await reader.recent(id);
  await Array.fromAsync(reader.search({ text: "hello" }));
  await reader[Symbol.asyncDispose]();
  assert.deepEqual(await Deno.readFile(lab.path), before);
  assert.deepEqual(lab.names(), names);
});

Deno.test("reading where there is no database makes none", async () => {
  await using lab = await SqliteLab.create();
  assert.equal(await lab.store.read(id), undefined);
  assert.deepEqual((await lab.store.list()).items, []);
  assert.deepEqual(await Array.fromAsync(lab.store.search({ text: "x" })), []);
  await lab.store.remove(id);
  await assert.rejects(lab.store.move(id, sessionId(2)), ConflictError);
  const late = history([question("late")], 1);
  await assert.rejects(lab.store.append(id, late), ConflictError);
  assert.deepEqual([...Deno.readDirSync(lab.project)], []);
});

Deno.test("the plugin keeps its database under the project, or where path says", async () => {
  await using lab = await SqliteLab.create();
  for (const path of [undefined, "data.db"]) {
    await using store = await openForTest("sqlite", lab.project, {
      ...(path && { path }),
    });
    await store.append(id, history([opened()]));
    await Deno.stat(`${lab.project}/${path ?? ".mm/sessions.db"}`);
  }
});

/** What may stand where the database should be, and what must be said of it. */
const odd: Readonly<
  Record<string, readonly [(lab: SqliteLab) => void, RegExp]>
> = {
  "no database at all": [
    (lab) => put(lab, "hello, this is no database ".repeat(100)),
    /not a SQLite database; it is left as it is/,
  ],
  "of another program": [
    (lab) => lab.script("CREATE TABLE songs (id)"),
    /belongs to another program \(tables songs\); name another database/,
  ],
  "of a newer mm": [
    (lab) => {
      lab.script(
        "PRAGMA application_id = 0x6d6d3031; PRAGMA user_version = 99",
      );
    },
    /newer mm \(schema 99, this one knows 2\): upgrade mm/,
  ],
  "a folder": [
    (lab) => Deno.mkdirSync(lab.path, { recursive: true }),
    /it is not a regular file; move it away/,
  ],
};

for (const [kind, [spoil, reason]] of Object.entries(odd)) {
  Deno.test(`a database that is ${kind} is told by every verb, and left as it is`, async () => {
    await using lab = await SqliteLab.create();
    spoil(lab);
    const before = Deno.lstatSync(lab.path);
    const tries = [
      () => lab.store.append(id, history([opened()])),
      () => lab.store.read(id),
      () => lab.store.list(),
      () => lab.store.move(id, sessionId(2)),
      () => lab.store.remove(id),
      () => Array.fromAsync(lab.store.search({ text: "x" })),
    ];
    for (const attempt of tries) {
      await assert.rejects(attempt(), (error) => {
        assert(error instanceof UserError, String(error));
        assert.match(error.message, reason);
        return true;
      });
    }
    const { mtime, size, ino } = Deno.lstatSync(lab.path);
    assert.deepEqual(
      { mtime, size, ino },
      { mtime: before.mtime, size: before.size, ino: before.ino },
    );
  });
}

Deno.test("a database that was cut off or damaged is told and never overwritten", async () => {
  await using lab = await SqliteLab.create();
  for (let n = 0; n < 50; n++) {
    const text = `question ${n} ${"x".repeat(2000)}`;
    await lab.store.append(sessionId(n), history([opened(), question(text)]));
  }
  await lab.store[Symbol.asyncDispose]();
  const good = await Deno.readFile(lab.path);
  const half = good.slice(0, good.length / 2);
  const garbled = good.map((byte, i) => i > 4096 && i % 97 === 0 ? 255 : byte);
  for (const bytes of [half, garbled]) {
    await Deno.writeFile(lab.path, bytes);
    await using store = lab.fresh();
    const ends = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => store.read(sessionId(n))),
    );
    const failed = ends.filter((end) => end.status === "rejected");
    assert(failed.length > 0);
    for (const { reason } of failed) {
      assert(reason instanceof UnreadableError, String(reason));
    }
    await store[Symbol.asyncDispose]();
    assert.equal((await Deno.stat(lab.path)).size, bytes.length);
  }
  await Deno.writeFile(lab.path, good);
  assert.equal((await lab.fresh().list()).items.length, 50);
});

Deno.test("a damaged row is told when its session is read, and listed", async () => {
  await using lab = await SqliteLab.create();
  await lab.store.append(id, history([opened(), question("One")]));
  await lab.store.append(sessionId(2), history([opened(), question("Two")]));
  lab.script(`UPDATE events SET data = '{"type":' WHERE id = 2`);
  await assert.rejects(
    lab.fresh().read(id),
    /Cannot read row 2 of events .*not valid JSON/,
  );
  assert.equal((await lab.fresh().read(sessionId(2)))?.messages.length, 1);
  lab.script(`UPDATE sessions SET gist = '{}' WHERE id = '${id}'`);
  const { items } = await lab.fresh().list();
  assert.match(items.find((s) => s.id === id)?.unreadable ?? "", /damaged/);
  const more = history([question("more")], 2);
  await assert.rejects(lab.fresh().append(id, more), UnreadableError);
  lab.script(
    `DELETE FROM events WHERE session_id = '${sessionId(2)}' AND id > 3`,
  );
  await assert.rejects(
    lab.fresh().read(sessionId(2)),
    /its last events are missing/,
  );
});

Deno.test("links in place of the database or its companions are refused", {
  ignore: !unix,
}, async () => {
  for (const name of ["", "-wal", "-shm", "-journal"]) {
    await using lab = await SqliteLab.create();
    Deno.mkdirSync(`${lab.project}/.mm`);
    const target = `${lab.project}/elsewhere`;
    await Deno.symlink(target, lab.path + name);
    await assert.rejects(
      lab.store.append(id, history([opened()])),
      /it is a symbolic link, and links are not followed/,
    );
    await assert.rejects(Deno.lstat(target), Deno.errors.NotFound);
  }
});

Deno.test("a database that is removed or replaced while open is noticed", async () => {
  await using lab = await SqliteLab.create();
  const events = history([opened(), question("One")]);
  await lab.store.append(id, events);
  await Deno.remove(lab.path);
  const more = history([question("Two")], 2);
  await assert.rejects(lab.store.append(id, more), ConflictError);
  assert.equal(await lab.store.read(id), undefined);
  const state = [...events, ...more].reduce(fold, empty());
  const { seq, updatedAt: at } = state;
  await lab.store.append(id, [{ type: "restored", state, seq, at }]);
  assert.deepEqual(await lab.fresh().read(id), state);
});

Deno.test("another program that keeps the database locked is waited for while all else goes on", async () => {
  await using lab = await SqliteLab.create();
  await lab.store.append(id, history([opened()]));
  using other = new DatabaseSync(lab.path);
  other.exec("BEGIN IMMEDIATE");
  const appending = lab.store.append(id, history([question("One")], 1));
  assert.equal((await lab.store.read(id))?.seq, 1);
  other.exec("COMMIT");
  await appending;
  assert.equal((await lab.store.read(id))?.seq, 2);
});

Deno.test("another program that keeps the database locked for too long is told, and reading goes on", async () => {
  await using lab = await SqliteLab.create({ timeout: 100 });
  await lab.store.append(id, history([opened()]));
  using other = new DatabaseSync(lab.path);
  other.exec("BEGIN IMMEDIATE");
  await assert.rejects(
    lab.store.append(id, history([question("One")], 1)),
    /another process keeps the database locked, close it or try again/,
  );
  assert.equal((await lab.store.read(id))?.seq, 1);
});

Deno.test("keepDays removes what was not touched for so long, index and all", async () => {
  await using lab = await SqliteLab.create();
  await lab.store.append(id, history([opened(), question("ancient")]));
  const now = () => new Date("2026-10-20T00:00:00Z");
  const store = lab.fresh({ keepDays: 30, now });
  const at = now().toISOString();
  const fresh = history([{ ...opened(), at }, { ...question("new"), at }]);
  const { items } = await store.list();
  assert.deepEqual(items.map((item) => store.expires(item)), [true]);
  await store.append(sessionId(2), fresh);
  assert.match(
    store.notices().join(),
    /: 1 that nobody touched for 30 days \(keepDays\)$/,
  );
  assert.deepEqual((await store.list()).items.map((s) => s.id), [sessionId(2)]);
  assert.deepEqual(
    lab.query("SELECT id FROM events WHERE session_id = ?", id),
    [],
  );
  const hits = await Array.fromAsync(store.search({ text: "ancient" }));
  assert.deepEqual(hits, []);
});

Deno.test("nothing in any file holds what a removed conversation said, once the store is closed", async () => {
  await using lab = await SqliteLab.create();
  const secrets: Record<number, string> = { 7: "xylophone", 8: "quokka" };
  const said = (session: number, n: number) => {
    const secret = secrets[session] ?? "word";
    return question(`${secret} ${n} ${"filler ".repeat(100 * n)}`);
  };
  for (let n = 0; n < 10; n++) {
    for (let session = 0; session < 30; session++) {
      const events = [...n === 0 ? [opened()] : [], said(session, n)];
      const after = n === 0 ? 0 : n + 1;
      await lab.store.append(sessionId(session), history(events, after));
    }
  }
  await Array.fromAsync(lab.store.search({ text: "filler" })); // indexed, too
  await lab.store[Symbol.asyncDispose]();
  const store = lab.fresh();
  for (const session of [7, 8]) await store.remove(sessionId(session));
  await store[Symbol.asyncDispose]();
  const folder = join(lab.project, ".mm");
  for (const name of lab.names()) {
    const bytes = await Deno.readFile(join(folder, name));
    const text = new TextDecoder("latin1").decode(bytes);
    assert(!/ylophon|uokka/.test(text), name); // an index keeps beginnings apart
  }
  assert.equal((await lab.fresh().list({ limit: 100 })).items.length, 28);
});

Deno.test("what was removed stays gone when the process is killed before it closes the store", async () => {
  await using lab = await SqliteLab.create();
  const secret = (n: number) =>
    question(`xylophone${n} and ${"more ".repeat(9)}`);
  for (const session of [1, 2]) {
    const said = Array.from(
      { length: 400 },
      (_, n) => secret(n + session * 1000),
    );
    await lab.store.append(sessionId(session), history([opened(), ...said]));
  }
  await Array.fromAsync(lab.store.search({ text: "more" })); // indexed, too
  await lab.store[Symbol.asyncDispose]();
  const url = new URL(
    "../../../plugins/sqlite/sqlite_store.ts",
    import.meta.url,
  );
  const script = `import { SqliteStore } from ${JSON.stringify(url)};
    const store = new SqliteStore(${JSON.stringify(lab.path)});
    for (const id of ${
    JSON.stringify([id, sessionId(2)])
  }) await store.remove(id);
    Deno.kill(Deno.pid, "SIGKILL");`;
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--ext=ts", "--no-check", script],
  }).output();
  assert.notEqual(code, 0);
  assert.equal(new TextDecoder().decode(stderr), "");
  for (const name of lab.names()) {
    const bytes = await Deno.readFile(join(lab.project, ".mm", name));
    assert(!/ylophon/.test(new TextDecoder("latin1").decode(bytes)), name);
  }
});

Deno.test("a removal in a large database lets another store write", async () => {
  await using lab = await SqliteLab.create();
  const large = history([
    opened(),
    ...Array.from({ length: 110 }, () => answer("x".repeat(1_000_000))),
  ]);
  await lab.store.append(sessionId(3), large);
  const words = (n: number) =>
    Array.from({ length: 100 }, (_, i) => `w${n * 31 + i}`).join(" ");
  const said = Array.from({ length: 300 }, (_, n) => question(words(n)));
  await lab.store.append(id, history([opened(), ...said]));
  const other = lab.fresh();
  await other.append(sessionId(2), history([opened()]));
  const removing = lab.store.remove(id);
  for (let seq = 1; seq < 20; seq++) {
    await other.append(sessionId(2), history([question("One")], seq));
  }
  await removing;
  await lab.store[Symbol.asyncDispose]();
  assert.equal((await other.read(sessionId(2)))?.seq, 20);
  assert.equal(await other.read(id), undefined);
});

Deno.test("a database of the first version gets the indexes it lacks and that of words, after a backup", async () => {
  await using lab = await SqliteLab.create();
  await lab.store.append(id, history([opened(), question("Hello there")]));
  await lab.store[Symbol.asyncDispose]();
  lab.script(`DROP INDEX idx_events_session; DROP INDEX idx_sessions_newest;
    DROP TABLE message_text;
    CREATE VIRTUAL TABLE message_text USING fts5 (text, content = '', contentless_delete = 1);
    INSERT INTO message_text (rowid, text) VALUES (2, 'hello there');
    PRAGMA user_version = 1`);
  const store = lab.fresh();
  assert.equal((await store.read(id))?.seq, 2);
  const hits = await Array.fromAsync(store.search({ text: "there" }));
  assert.equal(hits.length, 1);
  const found = await Array.fromAsync(store.check(false));
  assert.deepEqual(found.filter(({ status }) => status === "fail"), []);
  await store.remove(id);
  assert.equal(lab.names().filter((n) => n.includes(".backup-")).length, 1);
  const indexes = lab.query(
    "SELECT name FROM sqlite_schema WHERE name IN ('idx_events_session', 'idx_sessions_newest')",
  );
  assert.equal(indexes.length, 2);
  assert.equal(lab.query("PRAGMA user_version")[0]?.user_version, 2);
});

Deno.test("remove() gives the space back to the disk", async () => {
  await using lab = await SqliteLab.create();
  await lab.store.append(sessionId(2), history([opened(), question("stays")]));
  const large = history([opened(), question("x".repeat(10_000_000))]);
  await lab.store.append(id, large);
  await lab.store.remove(id);
  await lab.store[Symbol.asyncDispose]();
  assert((await Deno.stat(lab.path)).size < 1_000_000);
  assert.equal((await lab.fresh().read(sessionId(2)))?.messages.length, 1);
});

Deno.test("100,000 events are read, gone on with and listed", async () => {
  await using lab = await SqliteLab.create();
  await lab.store.append(id, history([opened()]));
  for (let n = 1; n < 100_000; n += 1000) {
    const drafts = Array.from({ length: 1000 }, (_, i) => answer(`a ${i}`));
    await lab.store.append(id, history(drafts, n));
  }
  const fresh = lab.fresh();
  assert.equal((await fresh.read(id))?.messages.length, 100_000);
  await fresh.append(id, history([question("And now?")], 100_001));
  assert.equal((await fresh.read(id))?.messages.length, 100_001);
  await fresh.move(id, sessionId(2));
  assert.equal((await fresh.read(sessionId(2)))?.seq, 100_002);
});

function put(lab: SqliteLab, text: string): void {
  Deno.mkdirSync(`${lab.project}/.mm`);
  Deno.writeTextFileSync(lab.path, text);
}
