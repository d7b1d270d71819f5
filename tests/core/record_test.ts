import assert from "node:assert/strict";
import { ConflictError } from "../../core/error.ts";
import type { SessionState } from "../../core/fold.ts";
import { isDurable, type Update } from "../../core/event.ts";
import { SessionRecord } from "../../core/record.ts";
import { clock, SpyStore } from "./setup.ts";

const ID = "20260916-101530-4f2a9c1e";
const user = (content: string) =>
  ({
    type: "message",
    message: { role: "user", id: content, content },
  }) as const;
const failed = (line: string) =>
  ({ type: "failed", kind: "resume", turns: 0, question: "", line }) as const;

function open(store = new SpyStore(), state?: SessionState) {
  const init = { store, cwd: "/project", model: () => "m", now: clock() };
  const record = new SessionRecord(ID, init, state);
  const updates: Update[] = [];
  record.subscribe((update) => void updates.push(update));
  return { record, store, updates };
}

Deno.test("append() numbers events in order of arrival and dates each batch", async () => {
  const { record, store, updates } = open();
  await Promise.all([
    record.append(user("one")),
    record.append(user("two"), user("three")),
    record.append({ type: "titled", title: "four" }),
  ]);
  assert.deepEqual(store.log.map((e) => e.seq), [1, 2, 3, 4, 5]);
  assert.deepEqual(
    record.state.messages.map((m) => m.content),
    ["one", "two", "three"],
  );
  const times = store.log.map((e) => e.at);
  assert.deepEqual(times, times.toSorted());
  assert.deepEqual(updates.filter(isDurable), [...store.log]);
});

Deno.test("append() begins a record with its opening event", async () => {
  const { record, store } = open();
  await record.append(user("hi"));
  const [first] = store.log;
  assert.equal(first?.type, "opened");
  assert.equal(record.state.cwd, "/project");
  assert.equal(record.state.model, "m");
});

Deno.test("append() writes nothing before the first question, then all that it held", async () => {
  const { record, store } = open();
  await record.append(failed("no such session"));
  await record.append({ type: "titled", title: "mine" });
  assert.equal(store.appends.length, 0);
  assert.equal(record.state.errors.length, 1);

  await record.append(user("hi"));
  assert.equal(store.appends.length, 1);
  assert.deepEqual(
    store.log.map((e) => e.type),
    ["opened", "failed", "titled", "message"],
  );
  assert.deepEqual(await store.read(ID), record.state);
});

Deno.test("append() tells what the store has to say after what it stored, each once", async () => {
  const store = new SpyStore();
  const waiting = ["the log is long"];
  Object.assign(store, { notices: () => waiting.splice(0) });
  const { record, updates } = open(store);
  await record.append({ type: "titled", title: "not written yet" });
  assert.deepEqual(updates.map((u) => u.type), ["opened", "titled"]);
  await record.append(user("one"));
  await record.append(user("two"));
  assert.deepEqual(updates.slice(2).map((u) => u.type), [
    "message",
    "notice",
    "message",
  ]);
  assert.deepEqual(updates[3], {
    type: "notice",
    level: "warning",
    text: "the log is long",
  });
});

Deno.test("append() that the store refuses adds nothing, and the next one works", async () => {
  const { record, store, updates } = open();
  await record.append(user("one"));
  const before = record.state;
  updates.length = 0;
  store.failures.push(new Error("disk full"));
  await assert.rejects(record.append(user("lost")), /disk full/);
  assert.equal(record.state, before);
  assert.deepEqual(updates, []);

  await record.append(user("two"));
  assert.deepEqual(record.state.messages.map((m) => m.content), ["one", "two"]);
  assert.deepEqual(await store.read(ID), record.state);
});

Deno.test("append() that fails at the first question keeps what was held for the next one", async () => {
  const { record, store } = open();
  await record.append(failed("held"));
  store.failures.push(new Error("disk full"));
  await assert.rejects(record.append(user("lost")));
  await record.append(user("kept"));
  assert.deepEqual(
    store.log.map((e) => e.type),
    ["opened", "failed", "message"],
  );
});

Deno.test("appendFrom() decides on the state its events follow", async () => {
  const { record } = open();
  const first = record.append(user("one"));
  const counted = record.appendFrom((state) => [
    { type: "titled", title: `${state.messages.length} message` },
  ]);
  const none = record.appendFrom(() => []);
  assert.deepEqual((await none).length, 0);
  await Promise.all([first, counted]);
  assert.equal(record.state.title, "1 message");
});

Deno.test("append() after another process wrote continues under a fresh id, whole", async () => {
  const store = new SpyStore();
  const mine = open(store);
  await mine.record.append(user("shared"));
  const other = open(store, await store.read(ID));
  // The tail is unsettled, so its repair is written with what the other adds.
  await other.record.append(user("theirs"));
  await mine.record.append(user("mine"));

  const moved = mine.updates.find((u) => u.type === "moved");
  assert.deepEqual(moved, { type: "moved", from: ID, to: mine.record.id });
  assert.equal(mine.record.id === ID, false);
  const [theirs, ours] = [
    await store.read(ID),
    await store.read(mine.record.id),
  ];
  assert.deepEqual(theirs?.messages.map((m) => m.content), ["theirs"]);
  assert.equal(theirs?.errors.length, 1);
  assert.deepEqual(ours?.messages.map((m) => m.content), ["shared", "mine"]);
  assert.deepEqual(ours, mine.record.state);
  assert.equal(ours?.parent, ID);

  await mine.record.append(user("more"));
  assert.deepEqual(await store.read(mine.record.id), mine.record.state);
});

Deno.test("append() writes what it held when it has to move at the first question", async () => {
  const store = new SpyStore();
  await open(store).record.append(user("taken"));
  const { record } = open(store);
  await record.append(failed("held"));
  await record.append(user("mine"));
  const state = await store.read(record.id);
  assert.equal(state?.errors.length, 1);
  assert.deepEqual(state, record.state);
});

Deno.test("append() leaves everything as it was when the move fails too", async () => {
  const store = new SpyStore();
  const { record, updates } = open(store);
  await record.append(user("one"));
  const before = record.state;
  updates.length = 0;
  store.failures.push(new ConflictError("moved on"), new Error("disk full"));
  await assert.rejects(record.append(user("two")), /disk full/);
  assert.equal(record.id, ID);
  assert.equal(record.state, before);
  assert.deepEqual(updates, []);
});

Deno.test("rotate() archives what another process took away", async () => {
  const { record, store } = open();
  await record.append(user("one"));
  await store.remove(ID);
  const to = "20260916-101531-00000000";
  assert.equal(await record.rotate(to), true);
  const archived = await store.read(to);
  assert.deepEqual(archived?.messages.map((m) => m.content), ["one"]);
  assert.equal(record.state.seq, 0);
});

Deno.test("rotate() moves the record and starts at seq 1 under the same id", async () => {
  const { record, store } = open();
  await record.append(user("old"));
  const old = record.state;
  const to = "20260916-101531-00000000";
  assert.equal(await record.rotate(to), true);
  assert.deepEqual(await store.read(to), old);
  assert.equal(await store.read(ID), undefined);
  await record.append(user("new"));
  assert.equal(record.id, ID);
  const fresh = await store.read(ID);
  assert.deepEqual(fresh?.messages.map((m) => m.content), ["new"]);
  assert.deepEqual([old.parent, fresh?.parent], [undefined, to]);
});

Deno.test("rotate() moves nothing when nothing was asked", async () => {
  const { record, store } = open();
  await record.append(failed("held"));
  assert.equal(await record.rotate("20260916-101531-00000000"), false);
  assert.equal(store.appends.length, 0);
});

Deno.test("subscribe() gives back what ends it", async () => {
  const { record } = open();
  let heard = 0;
  const stop = record.subscribe(() => void heard++);
  await record.append(user("one"));
  stop();
  await record.append(user("two"));
  assert.equal(heard, 2);
});

Deno.test("a record opened on an unsettled tail reads as repaired and writes with the next write", async () => {
  const store = new SpyStore();
  await open(store).record.append(user("cut off"));
  const before = store.log.length;
  const stored = await store.read(ID);
  const { record } = open(store, stored);
  assert.equal(record.state.open, undefined);
  assert.equal(record.state.errors[0]?.raw, "cut off");
  assert.equal(store.log.length, before);
  assert.deepEqual(await store.read(ID), stored);

  await record.append({ type: "titled", title: "t" });
  assert.deepEqual(
    store.log.slice(before).map((e) => e.type),
    ["withdrawn", "failed", "titled"],
  );
  assert.deepEqual(await store.read(ID), record.state);
});
