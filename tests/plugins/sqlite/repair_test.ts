import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { errorLine } from "../../../core/error.ts";
import type { Finding } from "../../../core/store.ts";
import type { SqliteStore } from "../../../plugins/sqlite/sqlite_store.ts";
import {
  history,
  opened,
  question,
  sessionId,
} from "../../store_suite/histories.ts";
import { SqliteLab } from "./lab.ts";

const PAGE = 4096;
const SESSIONS = 20;
const MESSAGES = 50;

Deno.test("a repair builds a damaged full-text index anew and loses nothing", async () => {
  const damages = [
    "UPDATE message_text_data SET block = zeroblob(9) WHERE id > 10",
    "DELETE FROM message_text_data WHERE id > 10",
    "DELETE FROM message_text_docsize WHERE id BETWEEN 100 AND 200",
  ];
  for (const damage of damages) {
    await using lab = await filled();
    scriptWithin(lab, damage);
    await using store = lab.fresh();
    const before = await check(store);
    assert.deepEqual(failed(before).length, 1, damage);
    assert.match(failed(before)[0]!.detail, /mm doctor --repair saves/);
    const after = await check(store, true);
    assert.deepEqual(failed(after), []);
    assert.match(after[0]!.detail, /had a damaged index .* nothing is lost/);
    const hits = store.search({ text: "word", limit: 10_000 });
    assert.equal((await Array.fromAsync(hits)).length, SESSIONS * MESSAGES);
    await assertWhole(store, SESSIONS);
    assert.deepEqual(damagedFiles(lab), []);
  }
});

Deno.test("a damaged full-text index stops no conversation: it is told once, and a repair builds it anew", async () => {
  await using lab = await filled();
  scriptWithin(lab, "DELETE FROM message_text_data");
  await using store = lab.fresh({ keepDays: 1 }); // it removes sessions, too
  const id = sessionId(0);
  for (let n = 0; n < 3 * MESSAGES; n++) {
    const seq = MESSAGES + 1 + n;
    await store.append(id, history([question(text(0, MESSAGES + n))], seq));
  }
  assert.equal((await store.read(id))?.messages.length, 4 * MESSAGES);
  const [removing, indexing, ...more] = store.notices();
  assert.match(removing!, /^Cannot remove old sessions from .* is damaged; /);
  assert.match(indexing!, /^Cannot index what was said in .* doctor --repair/);
  assert.deepEqual(more, []);
  assert.deepEqual(failed(await check(store, true)), []);
  const hits = store.search({ text: "word", limit: 10_000 });
  const said = (SESSIONS + 3) * MESSAGES;
  assert.equal((await Array.fromAsync(hits)).length, said);
});

Deno.test("a repair puts what can be read into a new database, and the damaged one aside as it is", async () => {
  await using lab = await filled();
  damage(lab, lastLeaf(lab));
  const bytes = await Deno.readFile(lab.path);
  await using store = lab.fresh();
  assert.equal(failed(await check(store)).length, 1);
  assert.deepEqual(await Deno.readFile(lab.path), bytes);

  const [finding, ...rest] = await check(store, true);
  assert.equal(finding?.status, "warn");
  assert.match(
    finding!.detail,
    /was damaged: a new one holds all .*\(19 whole, 1 in part\), the damaged one is beside it as sessions\.db\.damaged-/,
  );
  const [missing, ...more] = failed(rest);
  const last = sessionId(SESSIONS - 1);
  assert.match(missing!.detail, RegExp(`^${last}: saved up to event \\d+$`));
  assert.deepEqual(more, []);
  const [aside = ""] = damagedFiles(lab);
  const path = join(lab.project, ".mm", aside);
  assert.deepEqual(await Deno.readFile(path), bytes);
  for (const file of [lab.path, path]) {
    assert.equal(Deno.statSync(file).mode! & 0o777, 0o600);
  }
  await assertWhole(store, SESSIONS - 1);
  const cut = (await store.read(sessionId(SESSIONS - 1)))!;
  assert(cut.seq > 1 && cut.seq <= MESSAGES + 1, `${cut.seq}`);
  await store.append(
    sessionId(SESSIONS - 1),
    history([question("On we go")], cut.seq),
  );
  assert.equal((await Array.fromAsync(store.search({ text: "go" }))).length, 1);
  assert.deepEqual(lab.names().filter((name) => /tmp/.test(name)), []);
});

Deno.test("a repair minds what SQLite does not mind, and leaves nothing unreadable", async () => {
  const first = sessionId(0);
  const damages: [sql: string, problem: RegExp, saved: RegExp][] = [
    [
      "UPDATE events SET data = substr(data, 1, 20) || zeroblob(9) WHERE id = 30",
      /row 30 of events .* is not valid JSON/,
      /19 whole, 1 in part[^]*: saved up to event 29/,
    ],
    [
      `UPDATE sessions SET gist = '{' WHERE id = '${first}'`,
      /its row in the table sessions is damaged/,
      /20 whole/,
    ],
    [
      "DELETE FROM events WHERE id = 10",
      /the full-text index lacks messages/, // an event less than was indexed
      /19 whole, 1 in part[^]*: saved up to event 9/,
    ],
    [
      `UPDATE sessions SET seq = 99 WHERE id = '${first}'`,
      /its last events are missing/,
      /19 whole, 1 in part[^]*: saved up to event 51/,
    ],
    [
      `DELETE FROM sessions WHERE id = '${first}'`,
      /events of 1 conversations are in no list/,
      /20 whole/,
    ],
    ["DROP TABLE sessions", /the file is damaged/, /20 whole/],
    ["PRAGMA user_version = 0", /user_version 0 is none/, /20 whole/],
  ];
  for (const [sql, problem, saved] of damages) {
    await using lab = await filled();
    lab.script(sql);
    await using store = lab.fresh();
    assert.match(await problemIn(store), problem);
    const said = await check(store, true);
    assert.match(said.map((f) => f.detail).join("\n"), saved, sql);
    assert.deepEqual(failed(await check(store)), [], sql);
    assert.equal(damagedFiles(lab).length, 1);
    assert.deepEqual(lab.names().filter((n) => n.includes("backup")), []);
    const { items } = await store.list({ limit: 100 });
    assert.equal(items.length, SESSIONS);
    assert.deepEqual(items.filter((s) => s.unreadable !== undefined), []);
  }
});

Deno.test("a repair saves what is left of a database whose end is missing", async () => {
  await using lab = await filled();
  const bytes = await Deno.readFile(lab.path);
  const left = bytes.subarray(0, Math.ceil(bytes.length / PAGE / 2) * PAGE);
  await Deno.writeFile(lab.path, left);
  await using store = lab.fresh();
  assert.match(await problemIn(store), /mm doctor --repair saves/);
  const said = await check(store, true);
  assert.match(said[0]!.detail, /a new one holds all .*\(\d+ whole/);
  await assertAllAccounted(store, said, "cut off");
  assert.deepEqual(failed(await check(store)), []);
  const [aside = ""] = damagedFiles(lab);
  const path = join(lab.project, ".mm", aside);
  assert.deepEqual(await Deno.readFile(path), left);
  const { items } = await store.list({ limit: 100 });
  assert(items.length > 0);

  // With nothing left to read, it is not sent in a circle.
  await using other = await filled();
  await Deno.writeFile(other.path, bytes.subarray(0, 100));
  await assert.rejects(
    check(other.fresh(), true),
    /nothing can be read; it is left as it is, move it away/,
  );
});

async function problemIn(store: SqliteStore): Promise<string> {
  try {
    return failed(await check(store)).map((f) => f.detail).join("\n");
  } catch (error) {
    return errorLine(error);
  }
}

Deno.test("a repair keeps what an older program knew of the messages", async () => {
  await using lab = await filled();
  lab.script(
    `INSERT INTO event_memory (event_id, importance, embedding) VALUES (3, 0.75, x'0102'), (5, 1, NULL);
     INSERT INTO legacy_sessions VALUES ('old', '${sessionId(0)}');
     UPDATE events SET consolidated_at = '2026-01-01', task_id = 't' WHERE id = 3`,
  );
  const tables = ["event_memory", "legacy_sessions"];
  const kept = () => [
    ...tables.map((table) => lab.query(`SELECT * FROM ${table}`)),
    lab.query("SELECT * FROM events WHERE id = 3"),
  ];
  const before = kept();
  damage(lab, lastLeaf(lab));
  await using store = lab.fresh();
  await check(store, true);
  assert.equal(damagedFiles(lab).length, 1);
  assert.deepEqual(kept(), before);
});

Deno.test("whatever page is damaged, a repair ends with a sound database of whole conversations", async () => {
  let pages = Infinity;
  for (let page = 2; page <= pages; page += page < 20 ? 1 : 13) {
    await using lab = await filled();
    pages = Deno.statSync(lab.path).size / PAGE;
    damage(lab, page);
    await using store = lab.fresh();
    const said = await check(store, true);
    assert.deepEqual(failed(await check(store)), [], `page ${page}`);
    await assertAllAccounted(store, said, `page ${page}`);
    const { items } = await store.list({ limit: 1000 });
    for (const { id } of items) {
      const { messages } = (await store.read(id))!;
      const session = parseInt(id.slice(-8), 16);
      messages.forEach(({ content }, i) =>
        assert.equal(content, text(session, i))
      );
    }
  }
});

Deno.test("a repair names each conversation that is lost, and says when it cannot", async () => {
  await using lab = await SqliteLab.create();
  const many = 300;
  for (let s = 0; s < many; s++) {
    const said = question(text(s, 0));
    await lab.store.append(sessionId(s), history([opened(), said]));
  }
  await lab.store[Symbol.asyncDispose]();
  const bytes = await Deno.readFile(lab.path);
  const pagesOf = (names: string) =>
    lab.query(`SELECT pageno FROM dbstat WHERE name IN (${names})`)
      .map(({ pageno }) => Number(pageno));
  const lists = "'sessions', 'sqlite_autoindex_sessions_1'";
  const places: [damaged: string, named: boolean][] = [
    ["'sessions', 'events'", true],
    [`${lists}, 'events'`, true], // an index of the events names them
    [`${lists}, 'events', 'idx_events_session'`, false],
  ];
  const pages = places.map(([names]) => pagesOf(names));
  for (const [i, [names, named]] of places.entries()) {
    await Deno.writeFile(lab.path, bytes);
    for (const page of pages[i]!.slice(1)) damage(lab, page);
    await using store = lab.fresh();
    const lost = failed(await check(store, true)).map((f) => f.detail);
    const [said = ""] = lost.splice(-1, named ? 0 : 1);
    if (!named) assert.match(said, /^others may be lost: the lists/);
    else assert(lost.length > 100, `${lost.length} lost, ${names}`);
    for (const line of lost) assert.match(line, /^\S+: nothing of it could be/);
    const { items } = await store.list({ limit: many });
    if (named) assert.equal(items.length + lost.length, many, names);
  }
});

Deno.test("a repair does nothing while another connection is open", async () => {
  await using lab = await filled();
  damage(lab, lastLeaf(lab));
  const other = new DatabaseSync(lab.path);
  other.prepare("SELECT count(*) FROM sessions").get();
  await using store = lab.fresh();
  await assert.rejects(
    check(store, true),
    /Cannot repair session database .*: another process has it open; end it and try again/,
  );
  assert.deepEqual(damagedFiles(lab), []);
  other.close();
  await check(store, true);
  assert.equal(damagedFiles(lab).length, 1);
});

Deno.test("a repair leaves what is no database of ours alone", async () => {
  await using lab = await SqliteLab.create();
  await Deno.mkdir(join(lab.project, ".mm"));
  await Deno.writeTextFile(lab.path, "A letter to a friend. ".repeat(1000));
  await assert.rejects(check(lab.store, true), /not a SQLite database/);
  assert.deepEqual(lab.names(), ["sessions.db"]);
  await Deno.remove(lab.path);
  lab.script("CREATE TABLE recipes (name)");
  await assert.rejects(check(lab.fresh(), true), /belongs to another program/);
  assert.deepEqual(lab.names(), ["sessions.db"]);
});

Deno.test("a repair removes what an interrupted copy left, once it is old", async () => {
  await using lab = await filled();
  const part = `${lab.path}.saved-2026-09-16T10-15-30-000Z.tmp`;
  for (const name of [part, `${part}-wal`]) await Deno.writeTextFile(name, "x");
  const before = await check(lab.store);
  assert.deepEqual(before.slice(0, 2).map((f) => f.status), ["warn", "warn"]);
  await check(lab.store, true);
  assert(lab.names().some((name) => name.endsWith(".tmp"))); // too new
  for (const name of [part, `${part}-wal`]) await Deno.utime(name, 0, 0);
  await check(lab.store, true);
  assert.deepEqual(lab.names().filter((name) => /\.tmp/.test(name)), []);
});

/** A database of many sessions, closed. */
async function filled(): Promise<SqliteLab> {
  const lab = await SqliteLab.create();
  for (let s = 0; s < SESSIONS; s++) {
    const said = Array.from({ length: MESSAGES }, (_, n) => text(s, n));
    await lab.store.append(
      sessionId(s),
      history([opened(), ...said.map((content) => question(content))]),
    );
  }
  await lab.store[Symbol.asyncDispose]();
  return lab;
}

function text(session: number, n: number): string {
  return `${session} ${n} ${"word ".repeat(40)}`;
}

/** The page with the newest events. */
function lastLeaf(lab: SqliteLab): number {
  const [row] = lab.query(
    "SELECT max(pageno) AS page FROM dbstat WHERE name = 'events' AND pagetype = 'leaf'",
  );
  return Number(row?.page);
}

function damage({ path }: SqliteLab, page: number): void {
  using file = Deno.openSync(path, { write: true });
  file.seekSync((page - 1) * PAGE, Deno.SeekMode.Start);
  file.writeSync(crypto.getRandomValues(new Uint8Array(PAGE)));
}

/** As a fault of the disk would: SQLite itself refuses. */
function scriptWithin({ path }: SqliteLab, sql: string): void {
  const db = new DatabaseSync(path);
  // Deno's types lack it.
  (db as unknown as { enableDefensive(on: boolean): void })
    .enableDefensive(false);
  db.exec(sql);
  db.close();
}

async function check(
  store: SqliteStore,
  repair = false,
): Promise<readonly Finding[]> {
  return await Array.fromAsync(store.check(repair));
}

function failed(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ status }) => status === "fail");
}

function damagedFiles(lab: SqliteLab): readonly string[] {
  return lab.names().filter((name) => name.includes(".damaged-"));
}

/** Each session is as it was, or a failure names it. */
async function assertAllAccounted(
  store: SqliteStore,
  findings: readonly Finding[],
  what: string,
): Promise<void> {
  const said = failed(findings).map(({ detail }) => detail).join("\n");
  for (let s = 0; s < SESSIONS; s++) {
    const state = await store.read(sessionId(s));
    const whole = state?.messages.length === MESSAGES;
    const told = said.includes(sessionId(s)) || said.includes("others may be");
    assert(whole || told, `session ${s}, ${what}`);
  }
}

/** The first `count` sessions are as they were. */
async function assertWhole(store: SqliteStore, count: number): Promise<void> {
  for (let s = 0; s < count; s++) {
    const state = await store.read(sessionId(s));
    assert.deepEqual(
      state?.messages.map(({ content }) => content),
      Array.from({ length: MESSAGES }, (_, n) => text(s, n)),
    );
  }
}

Deno.test("a check minds what another process has indexed since, and finds nothing wrong", async () => {
  await using lab = await SqliteLab.create();
  const [mine, theirs] = [lab.fresh(), lab.fresh()];
  const id = sessionId(1);
  let seq = 0;
  const say = async (store: SqliteStore, count: number) => {
    const drafts = Array.from(
      { length: count },
      (_, n) => question(`word${n} word${seq + n} ${"and so on ".repeat(20)}`),
    );
    const all = seq === 0 ? [opened(), ...drafts] : drafts;
    await store.append(id, history(all, seq));
    seq += all.length;
    await Array.fromAsync(store.search({ text: "word1" })); // indexes it
  };
  await say(mine, 100);
  assert.deepEqual(failed(await check(mine)), []);
  for (let n = 0; n < 40; n++) await say(theirs, 30);
  assert.deepEqual(failed(await check(mine)), []);
});
