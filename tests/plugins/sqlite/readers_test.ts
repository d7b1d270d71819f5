import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Readers } from "../../../plugins/sqlite/readers.ts";
import { TempDir } from "../../temp_dir.ts";

Deno.test("Readers: who waits for a reader hears when the store closes", async () => {
  await using lab = await database();
  const readers = new Readers(lab.path);
  const asked = Array.from({ length: 6 }, () => readers.all("SELECT 1", []));
  const [ends] = await Promise.all([
    Promise.allSettled(asked),
    readers[Symbol.asyncDispose](),
  ]);
  const names = ends.map((e) => e.status === "rejected" && e.reason.name);
  assert.deepEqual(names, Array(6).fill("AbortError"));
});

Deno.test("Readers: who waits for a reader may leave, and costs none", async () => {
  await using lab = await database();
  await using readers = new Readers(lab.path);
  const busy = Array.from(
    { length: 4 },
    (_, n) => readers.all(`SELECT ${n}`, []),
  );
  const abort = new AbortController();
  const waiting = readers.all("SELECT 9", [], abort.signal);
  const last = readers.all("SELECT 4 AS n", []);
  abort.abort();
  await assert.rejects(Promise.race([waiting, ...busy]), {
    name: "AbortError",
  });
  await Promise.all(busy);
  assert.deepEqual((await last).map(({ n }) => n), [4]);
});

async function database() {
  const dir = await TempDir.make();
  const path = join(dir.path, "some.db");
  new DatabaseSync(path).close();
  return { path, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}
