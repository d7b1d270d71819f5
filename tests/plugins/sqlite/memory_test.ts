import assert from "node:assert/strict";
import { WorkingMemory } from "../../../plugins/sqlite/working_memory.ts";
import {
  answer,
  history,
  opened,
  question,
  sessionId,
} from "../../store_suite/histories.ts";
import { SqliteLab } from "./lab.ts";

const id = sessionId(1);

Deno.test("recent() gives the newest messages and always the first question", async () => {
  await using lab = await SqliteLab.create({ workingMemoryCap: 5 });
  let seq = 1;
  await lab.store.append(id, history([opened()]));
  for (let n = 1; n <= 20; n++) {
    const turn = [question(`q${n}`), answer(`a${n}`)];
    await lab.store.append(id, history(turn, seq));
    seq += 2;
    const expected = n < 3
      ? Array.from({ length: n }, (_, i) => [`q${i + 1}`, `a${i + 1}`]).flat()
      : ["q1", `q${n - 1}`, `a${n - 1}`, `q${n}`, `a${n}`];
    assert.deepEqual(await texts(lab.store, id), expected);
    // The same for a store that has to read them.
    const cold = lab.fresh({ workingMemoryCap: 5 });
    assert.deepEqual(await texts(cold, id), expected);
    await cold[Symbol.asyncDispose]();
  }
});

Deno.test("recent() leaves out what was withdrawn, and keeps what was compacted", async () => {
  await using lab = await SqliteLab.create();
  const events = history([
    opened(),
    question("One"),
    answer("1"),
    question("Two"),
    { type: "withdrawn", from: 4 },
    { type: "compacted", summary: "They counted.", keepFrom: 4 },
    question("Three"),
  ]);
  for (const event of events) {
    await lab.store.append(id, [event]);
    await lab.store.recent(id);
  }
  assert.deepEqual(await texts(lab.store, id), ["One", "1", "Three"]);
  assert.deepEqual(await texts(lab.fresh(), id), ["One", "1", "Three"]);
});

Deno.test("recent() follows other processes, moves and removals", async () => {
  await using lab = await SqliteLab.create();
  const other = lab.fresh();
  await lab.store.append(id, history([opened(), question("One")]));
  assert.deepEqual(await texts(lab.store, id), ["One"]);
  await other.append(id, history([answer("1")], 2));
  assert.deepEqual(await texts(lab.store, id), ["One", "1"]);
  await other.move(id, sessionId(2));
  assert.deepEqual(await texts(lab.store, id), []);
  assert.deepEqual(await texts(lab.store, sessionId(2)), ["One", "1"]);
  await other.remove(sessionId(2));
  await other.append(sessionId(2), history([opened(), question("New")]));
  assert.deepEqual(await texts(lab.store, sessionId(2)), ["New"]);
});

Deno.test("WorkingMemory holds nothing of a session that nobody asked for", () => {
  const memory = new WorkingMemory(5);
  memory.add(1, history([opened(), question("One")]));
  assert.equal(memory.get(1, 2), undefined);
  memory.set(1, 2, []);
  memory.add(1, history([answer("1")], 2));
  assert.deepEqual(memory.get(1, 3)?.map(({ content }) => content), ["1"]);
});

async function texts(
  store: SqliteLab["store"],
  id: string,
): Promise<readonly unknown[]> {
  return (await store.recent(id)).map((message) => message.content);
}
