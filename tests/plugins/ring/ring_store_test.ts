import assert from "node:assert/strict";
import { empty, fold } from "../../../core/fold.ts";
import { plugin } from "../../../plugins/ring/plugin.ts";
import { RingStore } from "../../../plugins/ring/ring_store.ts";
import {
  answer,
  history,
  opened,
  question,
  sessionId,
} from "../../store_suite/histories.ts";
import { storeSuite } from "../../store_suite.ts";

storeSuite("ring", () => new RingStore());
storeSuite("ring of 7", () => new RingStore({ events: 7 }));
storeSuite("ring of 500 bytes", () => new RingStore({ bytes: 500 }));

const id = sessionId(1);

const settled = { type: "settled", reason: "end_turn" } as const;

const long = history([
  opened(),
  ...Array.from(
    { length: 500 },
    (_, n) => [question(`q ${n}`), answer(`a ${n}`), settled],
  ).flat(),
]);

Deno.test("a session that outgrew its ring keeps title, turns and usage, and its newest messages", async () => {
  const store = new RingStore({ events: 30 });
  for (const event of long) await store.append(id, [event]);
  const whole = long.reduce(fold, empty());
  const state = await store.read(id);
  assert.deepEqual(state, {
    ...whole,
    truncated: true,
    messages: whole.messages.slice(-20),
  });
  assert.equal(state?.turns, 500);
  assert.equal(store.slice(id)?.items[0]?.item, long[0]);
});

Deno.test("a record that is moved, appended to and removed keeps its ring", async () => {
  const store = new RingStore({ events: 30 });
  await store.append(id, long.slice(0, 100));
  const before = store.slice(id);
  await store.move(id, sessionId(2));
  assert.equal(store.slice(id), undefined);
  assert.deepEqual(store.slice(sessionId(2)), before);
  await store.append(sessionId(2), long.slice(100));
  assert.equal((await store.read(sessionId(2)))?.seq, long.length);
  await store.remove(sessionId(2));
  assert.equal(store.slice(sessionId(2)), undefined);
});

Deno.test("push() puts live updates among the events, and they make room first", async () => {
  const store = new RingStore({ events: 10 });
  const text = (n: number) =>
    ({ type: "text", messageId: "m", text: `${n}` }) as const;
  store.push(id, text(0)); // nobody's: forgotten
  await store.append(id, history([opened(), question("Hi")]));
  for (let n = 1; n <= 100; n++) store.push(id, text(n));
  assert.deepEqual(
    store.slice(id, 1)?.items.map(({ position }) => position),
    [2, ...Array.from({ length: 9 }, (_, n) => 94 + n)],
  );
  assert.equal(store.slice(id)?.truncated, false);
  assert.equal((await store.read(id))?.truncated, false);
  await store.append(id, history([answer("Hello"), settled], 2));
  const types = store.slice(id, 100)?.items.map(({ item }) => item.type);
  assert.deepEqual(types, ["text", "text", "message", "settled"]);
  const [event] = history([settled], 4);
  assert.throws(() => store.push(id, event!), /Cannot push event 5 .*append/);
});

Deno.test("the plugin checks its bounds and fills them in", async () => {
  const host = {
    project: "/nowhere",
    env: () => undefined,
    version: "0",
    commands: [],
    now: () => new Date(),
  };
  await using store = await plugin.open({ events: 5, bytes: 1000 }, host);
  assert.deepEqual(store.supports, {
    durable: false,
    bounded: true,
    live: true,
  });
  await store.append(id, long.slice(0, 50));
  assert.equal((await store.read(id))?.truncated, true);
});
