import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { hasWalRace } from "../../../plugins/sqlite/version.ts";
import {
  history,
  opened,
  question,
  sessionId,
} from "../../store_suite/histories.ts";
import { SqliteLab } from "./lab.ts";

const id = sessionId(1);
const BOUND = 16 * 1024 ** 2; // twice what a log is cut back to

Deno.test("the log stays under its bound while other connections are open and read", async () => {
  await using lab = await SqliteLab.create();
  await lab.store.append(id, history([opened()]));
  const reader = new DatabaseSync(lab.path, { readOnly: true });
  const other = lab.fresh();
  let largest = 0;
  for (let seq = 1; seq <= 400; seq++) {
    const text = `${seq} ${"x".repeat(200_000)}`;
    await lab.store.append(id, history([question(text)], seq));
    if (seq % 10 === 0) {
      reader.prepare("SELECT count(*) FROM events").get();
      await other.list();
      await Array.fromAsync(other.search({ text: `${seq}` }));
    }
    largest = Math.max(largest, walSize(lab));
  }
  reader.close();
  console.log(`  largest ${(largest / 1e6).toFixed(1)} MB of 80 MB written`);
  assert(largest <= BOUND, `${largest} bytes`);
});

Deno.test("a reader that never ends is told of, and the log shrinks when it does", async () => {
  await using lab = await SqliteLab.create();
  await lab.store.append(id, history([opened()]));
  const reader = new DatabaseSync(lab.path, { readOnly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM events").get();
  let seq = 1;
  const write = async (count: number) => {
    for (let n = 0; n < count; n++, seq++) {
      const text = "y".repeat(500_000);
      await lab.store.append(id, history([question(text)], seq));
    }
  };
  await write(120);
  assert(walSize(lab) > 32 * 1024 ** 2);
  const notices = lab.store.notices();
  assert(notices.some((n) => /has grown to \d+ MB.*keeps reading/.test(n)));
  assert.deepEqual(lab.store.notices(), []);
  reader.exec("COMMIT");
  await write(40);
  assert(walSize(lab) <= BOUND, `${walSize(lab)} bytes`);
  reader.close();
  assert.equal((await lab.fresh().read(id))?.seq, seq);
});

Deno.test("hasWalRace() knows the versions that were not mended", () => {
  const bad = ["3.7.0", "3.44.5", "3.45.0", "3.50.2", "3.50.6", "3.51.2"];
  const good = ["3.6.23", "3.44.6", "3.50.7", "3.51.3", "3.53.2", "4.0.0"];
  for (const version of bad) assert(hasWalRace(version), version);
  for (const version of good) assert(!hasWalRace(version), version);
});

function walSize(lab: SqliteLab): number {
  return Deno.statSync(`${lab.path}-wal`).size;
}
