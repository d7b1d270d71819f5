import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SqliteStore } from "../../plugins/sqlite/sqlite_store.ts";
import { format, interleaved, type Row } from "./measure.ts";
import { message, opened, spoken } from "./small_events.ts";

/** All that is measured of the sqlite store. */
export async function sqlite(): Promise<readonly Row[]> {
  return [await append(), await listMany(), await search()];
}

/** Appending one event, against a prepared insert into the same table in a transaction of its own. */
export async function append(runs = 21, events = 100): Promise<Row> {
  return await inFolder(async (dir, store) => {
    await store.append(ID, [opened()]);
    let seq = 1;
    const save = async () => {
      for (let n = 0; n < events; n++) {
        await store.append(ID, [message(++seq)]);
      }
    };
    using bare = await bareTable(dir);
    const data = JSON.stringify(message(1));
    const raw = () => {
      for (let n = 0; n < events; n++) bare.insert(data);
    };
    const [value, baseline] = await interleaved(runs, save, raw);
    return { name: `sqlite: ${events} appends`, value, baseline, target: 2 };
  });
}

// The same table with the same indexes and safety, and nothing else.
async function bareTable(
  dir: string,
): Promise<Disposable & { insert(data: string): void }> {
  const path = join(dir, "bare.db");
  await using store = new SqliteStore(path);
  await store.append(ID, [opened()]);
  await store[Symbol.asyncDispose]();
  const db = new DatabaseSync(path);
  db.exec("PRAGMA synchronous = FULL");
  const begin = db.prepare("BEGIN IMMEDIATE");
  const insert = db.prepare(
    "INSERT INTO events (session_id, event_type, data, created_at) VALUES (?, 'user_message', ?, ?)",
  );
  const commit = db.prepare("COMMIT");
  return {
    insert(data) {
      begin.run();
      insert.run(ID, data, "2026-09-16T10:15:30.000Z");
      commit.run();
    },
    [Symbol.dispose]: () => db.close(),
  };
}

/** Listing all of many sessions, against reading their rows. */
export async function listMany(count = 10_000, runs = 7): Promise<Row> {
  return await inFolder(async (dir, store) => {
    await store.append(ID, [opened(), message(2)]);
    using db = new DatabaseSync(join(dir, "sessions.db"));
    const copy = db.prepare(
      "INSERT INTO sessions (id, seq, bytes, updated_at, gist) SELECT ?, seq, bytes, updated_at, gist FROM sessions WHERE id = ?",
    );
    db.exec("BEGIN");
    for (let n = 1; n < count; n++) copy.run(idOf(n), ID);
    db.exec("COMMIT");
    const rows = db.prepare("SELECT * FROM sessions");
    const [value, baseline] = await interleaved(
      runs,
      () => store.list({ limit: count }),
      () => rows.all(),
    );
    return {
      name: `sqlite: list ${count} sessions`,
      value,
      baseline,
      target: 5,
    };
  });
}

/** Searching 100,000 messages: the 95th percentile over many words, against the bare FTS5 query. */
export async function search(count = 100_000, queries = 200): Promise<Row> {
  return await inFolder(async (dir, store) => {
    await fill(store, count);
    using db = new DatabaseSync(join(dir, "sessions.db"), { readOnly: true });
    const bare = db.prepare(
      "SELECT rowid, rank FROM message_text WHERE message_text MATCH ? ORDER BY rank LIMIT 20",
    );
    const times: [number[], number[]] = [[], []];
    for (let n = 0; n < queries; n++) {
      const words = n % 3 === 0
        ? [spoken(n), spoken(n * 7 + 1)]
        : [spoken(n * 13)];
      const ours = async () =>
        await Array.fromAsync(store.search({ text: words.join(" ") }));
      const theirs = () => bare.all(words.map((w) => `"${w}"`).join(" "));
      if (n === 0) await ours(); // starts the reader
      times[0].push(await time(ours));
      times[1].push(await time(theirs));
    }
    const [value, baseline] = times.map(p95) as [number, number];
    const name = `sqlite: search ${count} messages, p95`;
    return { name, value, baseline, target: 3 };
  });
}

async function fill(store: SqliteStore, count: number): Promise<void> {
  const perSession = 1000;
  for (let s = 0; s < count / perSession; s++) {
    const events = [opened()];
    for (let n = 0; n < perSession; n++) {
      const text = Array.from(
        { length: 20 },
        (_, i) => spoken(s * 1_000_003 + n * 20 + i),
      ).join(" ");
      events.push(message(events.length + 1, text));
    }
    await store.append(idOf(s), events);
  }
}

async function time(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function p95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ??
    NaN;
}

function idOf(n: number): string {
  return `20260916-101530-${n.toString(16).padStart(8, "0")}`;
}

const ID = idOf(0);

async function inFolder<T>(
  work: (dir: string, store: SqliteStore) => Promise<T>,
): Promise<T> {
  const dir = await Deno.makeTempDir({ prefix: "mm-bench-" });
  try {
    await using store = new SqliteStore(join(dir, "sessions.db"));
    return await work(dir, store);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

if (import.meta.main) {
  for (const row of await sqlite()) console.log(format(row));
}
