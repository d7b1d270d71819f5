import assert from "node:assert/strict";
import { isId, newId } from "../../core/id.ts";
import { ScriptedModel } from "../scripted_model.ts";
import { until } from "../until.ts";
import { lines, type SpyStore, talk, untilAborted } from "./setup.ts";

Deno.test("create() mints an id and writes nothing", async () => {
  await using t = talk([]);
  assert.equal(isId(t.session.id), true);
  assert.deepEqual((await t.agent.list()).items, []);
  assert.equal(await t.agent.session(t.session.id), t.session);
});

Deno.test("session() gives two callers at once the same live object", async () => {
  await using t = talk(["a"]);
  await t.session.prompt("1");
  await using other = talk([], { store: t.store });
  const [a, b] = await Promise.all([
    other.agent.session(t.session.id),
    other.agent.session(t.session.id),
  ]);
  assert.notEqual(a, undefined);
  assert.equal(a, b);
  assert.equal(await other.agent.session(t.session.id), a);
});

Deno.test("session() of an unknown id is undefined, and stays so", async () => {
  await using t = talk([]);
  const id = newId();
  assert.equal(await t.agent.session(id), undefined);
  assert.equal(await t.agent.session(id), undefined);
  assert.equal(await t.agent.read(id), undefined);
});

Deno.test("session() that cannot be read throws, and is tried again the next time", async () => {
  await using t = talk(["a"]);
  await t.session.prompt("1");
  await using other = talk([], { store: t.store });
  const { read } = t.store;
  t.store.read = () => Promise.reject(new Error("truncated"));
  await assert.rejects(other.agent.session(t.session.id), /truncated/);
  t.store.read = read;
  assert.notEqual(await other.agent.session(t.session.id), undefined);
});

Deno.test("an id that is none never reaches the store", async () => {
  await using t = talk([]);
  const touched: string[] = [];
  t.store.read = (id) => {
    touched.push(id);
    return Promise.resolve(undefined);
  };
  t.store.remove = (id) => {
    touched.push(id);
    return Promise.resolve();
  };
  const bad = [
    "",
    "../../etc/passwd",
    "20260916-101530-4f2a9c1e/../x",
    "20260916-101530-4f2a9c1e\n",
    "20260916-101530-4F2A9C1E",
    "20260916-101530-4f2a9c1",
    "\0",
  ];
  for (const id of bad) {
    await assert.rejects(t.agent.session(id), TypeError, id);
    await assert.rejects(t.agent.read(id), TypeError, id);
    await assert.rejects(t.agent.remove(id), TypeError, id);
  }
  assert.deepEqual(touched, []);
});

Deno.test("read() gives what a resume would, and writes nothing", async () => {
  await using t = talk([untilAborted()]);
  const turn = t.session.prompt("1");
  await until(() => t.model.requests.length === 1);
  await using other = talk([], { store: t.store });
  const writes = t.store.appends.length;
  const state = await other.agent.read(t.session.id);
  assert.deepEqual(state && lines(state), []);
  assert.equal(state?.errors.length, 1);
  assert.equal(t.store.appends.length, writes);
  // Where it runs, it is not interrupted.
  assert.deepEqual(lines((await t.agent.read(t.session.id))!), ["user: 1"]);
  t.session.cancel();
  await turn;
});

Deno.test("remove() during a turn stops it and does not bring the session back", async () => {
  const started = Promise.withResolvers<void>();
  await using t = talk([untilAborted(started.resolve), "never", "fresh"]);
  const { id } = t.session;
  const turns = [t.session.prompt("1"), t.session.prompt("2")];
  await started.promise;
  await t.agent.remove(id);
  const ends = await Promise.all(turns);
  assert.deepEqual(ends.map((end) => end.status), ["cancelled", "cancelled"]);
  assert.deepEqual((await t.agent.list()).items, []);
  assert.equal(await t.agent.read(id), undefined);
  assert.equal(t.session.state.seq, 0);
});

Deno.test("remove() of a session that is shown starts a new conversation there", async () => {
  await using t = talk(["old", "new"]);
  await t.session.prompt("secret");
  await t.agent.remove(t.session.id);
  await t.session.prompt("hi");
  const { items } = await t.agent.list();
  assert.deepEqual(items.map((s) => s.id), [t.session.id]);
  assert.doesNotMatch(JSON.stringify(t.session.state), /secret/);
  assert.equal(await t.agent.session(t.session.id), t.session);
});

Deno.test("remove() of a stored session that is not live, and of none, works", async () => {
  await using t = talk(["a"]);
  await t.session.prompt("1");
  await using other = talk([], { store: t.store });
  await other.agent.remove(t.session.id);
  await other.agent.remove(newId());
  assert.deepEqual((await other.agent.list()).items, []);
});

Deno.test("release() lets go of a session nobody listens to", async () => {
  await using t = talk(["a", "b"]);
  const session = t.agent.create();
  await session.prompt("1");
  await t.agent.release(session);
  const again = await t.agent.session(session.id);
  assert.notEqual(again, session);
  assert.deepEqual(again?.state, session.state);
});

Deno.test("release() leaves a session alone while somebody listens, its turn too", async () => {
  await using t = talk(["a"]);
  const turn = t.session.prompt("1");
  await t.agent.release(t.session);
  assert.equal((await turn).status, "done");
  assert.equal(await t.agent.session(t.session.id), t.session);
});

Deno.test("disposing an agent cancels every turn and saves", async () => {
  const t = talk([untilAborted(), untilAborted()]);
  const other = t.agent.create();
  const turns = [t.session.prompt("1"), other.prompt("2")];
  await until(() => t.model.requests.length === 2);
  const saved = t.store.appends.length;
  await t.agent[Symbol.asyncDispose]();
  const ends = await Promise.all(turns);
  assert.deepEqual(ends.map((end) => end.status), ["cancelled", "cancelled"]);
  assert.equal(t.store.appends.length, saved + 2);
});

Deno.test("sessions run in parallel", async () => {
  const both = Promise.withResolvers<void>();
  let running = 0;
  const meet = async () => {
    if (++running === 2) both.resolve();
    await both.promise;
    return "met";
  };
  await using t = talk([meet, meet]);
  const other = t.agent.create();
  await Promise.all([t.session.prompt("1"), other.prompt("2")]);
  assert.deepEqual(lines(other.state), ["user: 2", "assistant: met"]);
});

Deno.test("useModel() changes the model of a session and of those to come", async () => {
  const next = new ScriptedModel(["from the next"]);
  await using t = talk(["a"], { openModel: () => Promise.resolve(next) });
  const other = t.agent.create();
  await t.agent.useModel("next", t.session);
  await t.session.prompt("1");
  assert.deepEqual(lines(t.session.state), [
    "user: 1",
    "assistant: from the next",
  ]);
  assert.equal(t.agent.create().settings.model, next);
  assert.equal(other.settings.model, t.model);
});

Deno.test("useModel() of an agent whose model is fixed is refused", async () => {
  await using t = talk([]);
  await assert.rejects(t.agent.useModel("x"), /it is fixed/);
});

Deno.test("the system prompt names the folder, the date and what the project asks", async () => {
  await using t = talk(["a"], { instructions: "Use tabs." });
  await t.session.prompt("1");
  const system = String(t.model.requests[0]?.messages[0]?.content);
  assert.match(system, /Working folder: \/project\nDate: 2026-09-16/);
  assert.match(system, /Use tabs\.$/);
});

Deno.test("release() keeps a session that somebody came to while it was saved", async () => {
  await using t = talk(["One."], { approves: false });
  const { agent } = t;
  const session = agent.create();
  await session.prompt("hi");
  const releasing = agent.release(session);
  const stop = session.subscribe(() => {});
  await releasing;
  assert.equal(await agent.session(session.id), session);
  assert(agent.live().includes(session));
  stop();
  await agent.release(session);
  assert.notEqual(await agent.session(session.id), session);
});

Deno.test("release() takes nothing from those that ask while another session is read", async () => {
  await using t = talk(["a"]);
  await t.session.prompt("1");
  await using other = talk(["b"], { store: t.store });
  const { agent } = other;
  const late = slowRead(t.store, newId());
  const loading = agent.session(late.id);
  const first = await agent.session(t.session.id);
  assert(first);
  const releasing = agent.release(first);
  const second = await agent.session(t.session.id);
  second?.subscribe(() => {});
  late.answer();
  await Promise.all([loading, releasing]);
  assert.equal(await agent.session(t.session.id), second);
});

Deno.test("release() keeps a session that was asked for while it was saved", async () => {
  await using t = talk(["a"]);
  await t.session.prompt("1");
  await using other = talk(["b"], { store: t.store });
  const first = await other.agent.session(t.session.id);
  assert(first);
  const releasing = other.agent.release(first);
  const second = await other.agent.session(t.session.id);
  await releasing;
  assert.equal(await other.agent.session(t.session.id), second);
});

Deno.test("release() of a session that is looked for in the store gives it to who looks", async () => {
  await using t = talk(["a"]);
  const late = slowRead(t.store, newId());
  const looking = t.agent.session(late.id);
  const made = t.agent.create({}, late.id);
  await made.prompt("1");
  const releasing = t.agent.release(made);
  late.answer();
  assert.equal(await looking, made);
  await releasing;
  assert.equal(await t.agent.session(late.id), made);
});

Deno.test("session() of an id that is created meanwhile is the new session, and stays it", async () => {
  await using t = talk(["a"]);
  const late = slowRead(t.store, newId());
  const looking = t.agent.session(late.id);
  const made = t.agent.create({}, late.id);
  late.answer();
  assert.equal(await looking, made);
  assert.equal(await t.agent.session(late.id), made);
});

Deno.test("create() refuses an id that is live", async () => {
  await using t = talk([]);
  assert.throws(
    () => t.agent.create({}, t.session.id),
    { name: "TypeError", message: /is live already$/ },
  );
  assert.equal(await t.agent.session(t.session.id), t.session);
});

Deno.test("a session that was let go and moves away takes nothing from the live one", async () => {
  await using t = talk(["a", "b", "c"]);
  const old = t.agent.create();
  await old.prompt("1");
  const { id } = old;
  await t.agent.release(old);
  const live = await t.agent.session(id);
  await live?.prompt("2");
  await old.prompt("3");
  assert.notEqual(old.id, id);
  assert.equal(await t.agent.session(id), live);
  assert.equal(await t.agent.session(old.id), old);
});

/** Has `store` take its time to read `id`: what it answers was true when it was asked. */
function slowRead(store: SpyStore, id: string) {
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  const read = store.read.bind(store);
  store.read = async (wanted) => {
    const state = await read(wanted);
    if (wanted === id) await promise;
    return state;
  };
  return { id, answer };
}
