import assert from "node:assert/strict";
import type { ListQuery, Summary } from "../../../core/store.ts";
import {
  Database,
  type Row,
  type Value,
} from "../../../plugins/sqlite/database.ts";
import { list } from "../../../plugins/sqlite/list.ts";
import {
  history,
  opened,
  question,
  sessionId,
} from "../../store_suite/histories.ts";
import { SqliteLab } from "./lab.ts";

const MANY = 5000;

Deno.test("list() reads no more rows than a page holds, however many sessions there are", async () => {
  await using lab = await filled();
  using db = new Counting(lab.path);
  const first = await list(db, {});
  assert.deepEqual(ids(first.items), range(MANY, MANY - 50));
  assert.equal(db.rows, 51);
  const next = await list(db, { cursor: first.next!, limit: 10 });
  assert.deepEqual(ids(next.items), range(MANY - 50, MANY - 60));
  assert.equal(db.rows, 51 + 11);
});

Deno.test("list() goes on in steps where a query leaves rows out", async () => {
  await using lab = await filled();
  using db = new Counting(lab.path);
  assert.deepEqual(ids((await list(db, { text: "number 3 " })).items), [3]);
  assert.deepEqual(await list(db, { text: "nowhere" }), { items: [] });
  assert(db.most < MANY);
  // One of another program, and of another folder, before all others.
  lab.script(`UPDATE sessions SET id = 'x' || id WHERE key > ${MANY - 100}`);
  const own = await list(db, { limit: 3 });
  assert.deepEqual(ids(own.items), range(MANY - 100, MANY - 103));
  assert.deepEqual((await list(db, { cwd: "/else" })).items, []);
});

Deno.test("list() in pages gives each session once, in the order of all", async () => {
  await using lab = await filled();
  using db = new Counting(lab.path);
  const query = { cwd: "/work/app", text: "7" };
  const all = await list(db, { ...query, limit: Number.MAX_SAFE_INTEGER });
  assert.equal(all.next, undefined);
  assert.deepEqual(await pages(db, { ...query, limit: 300 }), all.items);
});

async function pages(db: Database, query: ListQuery): Promise<Summary[]> {
  const items: Summary[] = [];
  for (let page = await list(db, query);;) {
    items.push(...page.items);
    if (page.next === undefined) return items;
    page = await list(db, { ...query, cursor: page.next });
  }
}

/** Sessions 1 to 5,000, each a second newer than the one before. */
async function filled(): Promise<SqliteLab> {
  const lab = await SqliteLab.create();
  const events = history([opened(), question("number 1 of many")]);
  await lab.store.append(sessionId(1), events);
  lab.script(`
WITH RECURSIVE n (n) AS (VALUES (2) UNION ALL SELECT n + 1 FROM n WHERE n < ${MANY}),
  t AS (SELECT n, strftime('%Y-%m-%dT%H:%M:%S.000Z', '2026-09-16T10:15:30Z', n || ' seconds') AS at FROM n)
INSERT INTO sessions (id, seq, bytes, updated_at, gist)
SELECT printf('20260916-101530-%08x', t.n), s.seq, s.bytes, t.at,
  json_set(s.gist, '$.title', 'number ' || t.n || ' of many', '$.updatedAt', t.at)
FROM t, sessions AS s`);
  return lab;
}

function ids(items: readonly Summary[]): readonly number[] {
  return items.map(({ id }) => parseInt(id.slice(-8), 16));
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: from - to }, (_, i) => from - i);
}

/** Counts the rows it gives. */
class Counting extends Database {
  rows = 0;
  most = 0;

  override all(sql: string, ...values: Value[]): readonly Row[] {
    const rows = super.all(sql, ...values);
    this.rows += rows.length;
    this.most = Math.max(this.most, rows.length);
    return rows;
  }
}
