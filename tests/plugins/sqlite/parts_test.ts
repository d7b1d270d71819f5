import assert from "node:assert/strict";
import { foldAll } from "../../../core/fold_all.ts";
import type { SessionState } from "../../../core/fold.ts";
import {
  answer,
  history,
  opened,
  question,
  sessionId,
} from "../../store_suite/histories.ts";
import { SqliteLab } from "./lab.ts";

const id = sessionId(1);
const TURNS = 300;

Deno.test("a long conversation that is restored is many rows, none of them large, and reads the same", async () => {
  await using lab = await SqliteLab.create();
  const state = long();
  await restore(lab, state);
  const rows = lab.query(
    "SELECT event_type AS type, length(data) AS size FROM events ORDER BY id",
  );
  assert(rows.length > 4);
  for (const { type, size } of rows.slice(1)) {
    assert.equal(type, "restored_part");
    assert(Number(size) < 400_000);
  }
  assert.deepEqual(await lab.fresh().read(id), state);
  await lab.store.append(id, history([question("And now?")], state.seq));
  const after = await lab.fresh().read(id);
  assert.deepEqual(after?.messages.slice(0, -1), state.messages);
  assert.equal(after?.seq, state.seq + 1);
  const [summary] = (await lab.fresh().list()).items;
  assert.equal(summary?.title, state.title);
});

Deno.test("a message in any part is found, is recent, and is forgotten when it is withdrawn", async () => {
  await using lab = await SqliteLab.create();
  const state = long();
  await restore(lab, state);
  for (const turn of [0, 150, TURNS - 1]) {
    const hits = await found(lab, `needle${turn}`);
    assert.deepEqual(hits, [{ seq: 2 + 2 * turn, role: "user" }]);
  }
  const recent = await lab.fresh({ workingMemoryCap: 3 }).recent(id);
  assert.deepEqual(recent.map(({ seq }) => seq), [
    2,
    state.seq - 1,
    state.seq,
  ]);
  const from = 2 + 2 * 290;
  await lab.store.append(
    id,
    history([{ type: "withdrawn", from }], state.seq),
  );
  assert.equal((await found(lab, "needle289")).length, 1);
  for (const turn of [290, TURNS - 1]) {
    assert.deepEqual(await found(lab, `needle${turn}`), []);
  }
});

Deno.test("a part that is lost is told, and a repair saves what stands before it", async () => {
  const damages = [
    "DELETE FROM events WHERE id = (SELECT max(id) FROM events)",
    "DELETE FROM events WHERE id = 4",
    "UPDATE events SET data = '[{}]' WHERE id = 4",
    "UPDATE events SET data = '{' WHERE id = 4",
  ];
  for (const damage of damages) {
    await using lab = await SqliteLab.create();
    const state = long();
    await restore(lab, state);
    await lab.store[Symbol.asyncDispose]();
    lab.script(damage);
    await using store = lab.fresh();
    await assert.rejects(store.read(id), /Cannot read /, damage);
    const findings = await Array.fromAsync(store.check(true));
    const said = findings.map(({ detail }) => detail).join("\n");
    assert.match(said, /up to event \d+/, damage);
    const saved = await store.read(id);
    const count = saved?.messages.length ?? 0;
    assert(count > 0 && count < state.messages.length, damage);
    assert.deepEqual(saved?.messages, state.messages.slice(0, count));
    assert(said.includes(`up to event ${saved?.messages.at(-1)?.seq}`), said);
  }
});

function long(): SessionState {
  const turns = Array.from({ length: TURNS }, (_, n) => [
    question(`needle${n} ${"x".repeat(4000)}`),
    answer(`answer ${n}`),
  ]);
  return foldAll(history([opened(), ...turns.flat()]));
}

async function restore(lab: SqliteLab, state: SessionState): Promise<void> {
  const { seq, updatedAt: at } = state;
  await lab.store.append(id, [{ type: "restored", state, seq, at }]);
}

async function found(lab: SqliteLab, text: string) {
  const hits = await Array.fromAsync(lab.store.search({ text }));
  return hits.map(({ seq, role }) => ({ seq, role }));
}
