import assert from "node:assert/strict";
import type { SessionEvent } from "../../../core/event.ts";
import { isPrompt } from "../../../core/fold.ts";
import { foldAll } from "../../../core/fold_all.ts";
import { MemoryStore } from "../../../core/memory_store.ts";
import { Desk } from "../../../facades/remote/server/desk.ts";
import { JsonStore } from "../../../plugins/json/json_store.ts";
import { call } from "../../scripted_model.ts";
import { heard, talk } from "../../core/setup.ts";
import type { StructuredReplay } from "../../../facades/remote/wire.ts";
import type { RawClient } from "./raw_client.ts";
import { until } from "../../until.ts";
import { gate, serverLab } from "./server_lab.ts";
import { removeDir, TempDir } from "../../temp_dir.ts";

Deno.test("a session that is rotated elsewhere begins anew for all, in another epoch", async () => {
  await using lab = await serverLab(["One.", "Two."]);
  const client = await lab.client();
  const session = await client.begin();
  await client.do({ type: "prompt", session, content: "one" });
  await client.idle();
  const before = await client.attach(session);
  const from = client.told.length;
  const shared = await lab.agent.session(session);
  const kept = await shared!.rotate();
  await until(() => client.replays(from).some((s) => s.last));
  const [slice] = client.replays(from);
  assert.equal(slice?.session, session);
  assert.notEqual(slice?.epoch, before[0]?.epoch);
  assert.equal(slice?.since, undefined);
  assert.deepEqual(slice?.events, []);
  await client.do({ type: "prompt", session, content: "two" });
  await client.idle(from);
  await same(client, session, lab.agent);
  await same(client, kept!, lab.agent);
  // What was known of the old record is no position in the new one.
  const { epoch, state } = before.at(-1)!;
  const replay = await client.attach(session, {
    epoch,
    since: state.recordSeq,
  });
  assert.equal(replay[0]?.since, undefined);
});

Deno.test("a session that is removed is empty for those who show it, and takes no more questions until it is begun again", async () => {
  await using lab = await serverLab(["One.", "Two."]);
  const client = await lab.client();
  const session = await client.begin();
  await client.do({ type: "prompt", session, content: "one" });
  await client.idle();
  const from = client.told.length;
  const other = await lab.client();
  const first = await other.do({ type: "delete", session }, "d-1");
  assert.deepEqual(first, { type: "ack", id: "d-1", session });
  await until(() => client.replays(from).some((s) => s.last));
  assert.deepEqual(client.replays(from)[0]?.events, []);
  assert.deepEqual(client.told.slice(from).filter((m) => m.type === "gone"), [
    { type: "gone", session },
  ]);
  for (const type of ["prompt", "steer", "attach"]) {
    const answer = await client.ask({ type, session, content: "two" });
    assert(answer.type === "error" && answer.code === "no_session", type);
  }
  const again = await other.do({ type: "delete", session }, "d-1");
  assert.deepEqual(again, first);
  const later = client.told.length;
  await client.begin(session);
  await client.do({ type: "prompt", session, content: "two" });
  await client.idle(later);
  await other.do({ type: "delete", session }, "d-1"); // it was done
  await same(client, session, lab.agent);
});

Deno.test("what runs in a session that is deleted is stopped", async () => {
  const held = gate("never");
  await using lab = await serverLab([held.step]);
  const client = await lab.client();
  const session = await client.begin();
  await client.do({ type: "prompt", session, content: "one" });
  await held.reached;
  await client.do({ type: "delete", session });
  assert(client.told.some((m) => m.type === "gone"));
  assert.deepEqual((await lab.agent.list()).items, []);
  const wrong = await client.ask({ type: "delete", session: "../x" });
  assert(wrong.type === "error" && wrong.code === "no_session");
});

Deno.test("a session that another process wrote to goes on under a fresh id, and all are told", async () => {
  const dir = await Deno.makeTempDir();
  const folder = `${dir}/.mm/sessions`;
  {
    await using lab = await serverLab(["One.", "Two."], {
      store: new JsonStore(folder),
    });
    const client = await lab.client();
    const session = await client.begin();
    await client.do({ type: "prompt", session, content: "one" });
    await client.idle();
    {
      await using other = await serverLab(["Elsewhere."], {
        store: new JsonStore(folder),
      });
      const there = await other.client();
      await there.attach(session);
      await there.do({ type: "prompt", session, content: "from afar" });
      await there.idle();
    }
    const from = client.told.length;
    const ack = await client.do(
      { type: "prompt", session, content: "two" },
      "m-2",
    );
    const moved = client.told.slice(from).find((m) => m.type === "moved");
    assert(moved?.type === "moved" && moved.session === session);
    assert.equal(ack.session, moved.to);
    await client.idle(from);
    const [slice] = client.replays(from);
    assert(slice?.session === moved.to);
    const events = client.told.slice(from).flatMap((m) =>
      m.type === "event" ? [m] : []
    );
    assert(
      events.some((e) =>
        e.session === moved.to && e.event.type === "message" &&
        e.event.message.id === "m-2"
      ),
    );
    await same(client, moved.to, lab.agent);
    // It is the same record still.
    const { epoch, state } = slice;
    const part = await client.attach(moved.to, {
      epoch,
      since: state.recordSeq,
    });
    assert.equal(part[0]?.since, state.recordSeq);
    // The old id is the other process's conversation.
    const replay = await client.attach(session);
    assert.match(JSON.stringify(replay), /from afar/);
  }
  await removeDir(dir);
});

Deno.test("who had not heard that a session goes on under a fresh id is led there, and asks nothing twice", async () => {
  const dir = await Deno.makeTempDir();
  const folder = `${dir}/.mm/sessions`;
  {
    const held = gate("Two.");
    const steps = ["One.", held.step, "Three.", "Four."];
    await using lab = await serverLab(steps, { store: new JsonStore(folder) });
    const client = await lab.client();
    const session = await client.begin();
    await client.do({ type: "prompt", session, content: "one" });
    await client.idle();
    const [{ epoch, state }] = await client.attach(session) as [
      StructuredReplay,
    ];
    {
      await using other = await serverLab(["Elsewhere."], {
        store: new JsonStore(folder),
      });
      const there = await other.client();
      await there.attach(session);
      await there.do({ type: "prompt", session, content: "from afar" });
      await there.idle();
    }
    const { session: fresh } = await client.do(
      { type: "prompt", session, content: "two" },
    );
    assert.notEqual(fresh, session);
    const waiting = { id: "m-3", type: "prompt", content: "three" };
    client.send({ ...waiting, session });
    // Who was away shows what it knew, not what the other process made of it.
    const late = await lab.client();
    const replay = await late.attach(session, {
      since: state.recordSeq,
      epoch,
    });
    assert.equal(replay[0]?.session, fresh);
    assert.equal(replay[0]?.since, state.recordSeq);
    const moved = late.told.find((m) => m.type === "moved");
    assert.deepEqual(moved, { type: "moved", session, to: fresh });
    late.send({ ...waiting, session: fresh });
    late.send({ id: "m-4", type: "prompt", session, content: "four" });
    await late.do({ type: "ping" });
    held.open();
    await until(() => lab.model.requests.length === 4);
    const live = await lab.agent.session(fresh!);
    await live!.idle();
    const asked = live!.state.messages.filter((m) => m.role === "user")
      .map((m) => m.content);
    assert.deepEqual(asked, ["one", "two", "three", "four"]);
    // Without what it knew, the old id is the other process's conversation.
    const [first] = await late.attach(session);
    assert.equal(first?.session, session);
  }
  await removeDir(dir);
});

Deno.test("a session that was released is rebuilt whole from the store", async () => {
  const store = new MemoryStore();
  const asks = { content: "Look: ", toolCalls: [call("look", { text: "x" })] };
  await using lab = await serverLab(
    [asks, "Seen.", new Error("broken"), "Three."],
    { store, serve: { idleRelease: 1 } },
  );
  const client = await lab.client();
  const session = await client.begin();
  for (const content of ["one", "two", "three"]) {
    const from = client.told.length;
    await client.do({ type: "prompt", session, content });
    await client.idle(from);
  }
  const { epoch } = (await client.attach(session))[0]!;
  const before = await lab.agent.session(session);
  await client.close();
  await until(() => !before!.watched, "released");
  const back = await lab.client();
  const replay = await back.attach(session, { epoch, since: 3 });
  assert.notEqual(await lab.agent.session(session), before);
  assert.equal(replay[0]?.since, undefined);
  assert.notEqual(replay[0]?.epoch, epoch);
  assert.equal(replay[0]?.truncated, false);
  assert.equal(replay.at(-1)?.state.turns, 2);
  await same(back, session, lab.agent);
});

Deno.test("a session is kept while somebody looks, while a turn runs, and while an approval waits", async () => {
  const asks = { content: "", toolCalls: [call("run", { text: "x" })] };
  await using t = talk([asks, "Done."], { approves: false });
  const desk = new Desk({
    agent: t.agent,
    replay: { events: 100, bytes: 10_000 },
    idleReleaseMs: 20,
  });
  const { id } = t.session;
  const served = await desk.session(id);
  const request = heard(t.session, "approval_asked");
  void served.say("prompt", "go", "m-1");
  const asked = await request;
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(await t.agent.session(id), t.session, "an approval waits");
  assert(asked.type === "approval_asked");
  const watcher = { send() {}, stream() {} };
  served.attach(watcher);
  served.approve(asked.request.id, { outcome: "allow_once" });
  await t.session.idle();
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(await t.agent.session(id), t.session, "somebody looks");
  await desk.close();
});

Deno.test("a session with a summary is replayed as it stands, from the record and from the store", async () => {
  await using lab = await serverLab(["One.", "Two.", "Three.", "In short."], {
    agent: { compaction: { keepTurns: 1 } },
  });
  const client = await lab.client();
  const session = await client.begin();
  for (const content of ["one", "two", "three"]) {
    const from = client.told.length;
    await client.do({ type: "prompt", session, content });
    await client.idle(from);
  }
  await client.do({ type: "command", session, text: "/compact" });
  await same(client, session, lab.agent);
  // The same from the store.
  const served = await lab.agent.session(session);
  assert(served!.state.messages.some((m) => m.role === "system" && m.summary));
  const desk = new Desk({
    agent: lab.agent,
    replay: { events: 100, bytes: 100_000 },
    idleReleaseMs: 1000,
  });
  const sent: string[] = [];
  (await desk.session(session)).attach({
    send: () => {},
    stream: (frames) => sent.push(...Array.from(frames, String)),
  });
  const { events, state } = JSON.parse(sent[0]!);
  assert.equal(state.turns, 3);
  assert.deepEqual(
    foldAll(events.map((e: { event: SessionEvent }) => e.event)).messages,
    served!.state.messages.filter((m) => !isPrompt(m)),
  );
  await desk.close();
});

Deno.test("a turn that another facade began is told from where it is", async () => {
  const wait = gate({ content: "Out of the editor." });
  await using lab = await serverLab([wait.step, "Next."]);
  const session = lab.agent.create(); // an editor's
  const turn = session.prompt("from the editor");
  await wait.reached;
  const client = await lab.client();
  const replay = await client.attach(session.id);
  assert.equal(replay.at(-1)?.state.running, true);
  assert.match(JSON.stringify(replay), /from the editor/);
  wait.open();
  await turn;
  await client.idle();
  await same(client, session.id, lab.agent);
});

/** Replaying a session gives its messages. */
async function same(
  client: RawClient,
  session: string,
  agent: Awaited<ReturnType<typeof serverLab>>["agent"],
): Promise<void> {
  const replay = await client.attach(session);
  const events = replay.flatMap((slice) => slice.events)
    .map(({ event }) => event).filter((e) => "seq" in e) as SessionEvent[];
  const state = await agent.read(session);
  assert.deepEqual(
    foldAll(events).messages,
    state!.messages.filter((m) => !isPrompt(m)),
  );
}

Deno.test("however many come at once, a session is opened once", async () => {
  class SlowStore extends MemoryStore {
    override async read(id: string) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return await super.read(id);
    }
  }
  const store = new SlowStore();
  await using t = talk([], { store });
  const { agent } = t;
  const desk = new Desk({
    agent,
    replay: { events: 100, bytes: 10_000 },
    idleReleaseMs: 10_000,
  });
  const id = "20261201-101010-0123abcd";
  const all = await Promise.all([
    desk.begin(id),
    desk.begin(id),
    desk.session(id).catch(() => undefined),
    desk.begin(id),
  ]);
  assert.equal(new Set(all).size, 1);
  await desk.close();
});

Deno.test("a server that closes stops what runs and what waits, and keeps what was said", async () => {
  const wait = gate("never");
  await using dir = await TempDir.make();
  const store = () => new JsonStore(`${dir.path}/.mm/sessions`);
  const lab = await serverLab([wait.step, "Not this.", "Nor this."], {
    store: store(),
  });
  const client = await lab.client();
  const session = await client.begin();
  await client.do({ type: "prompt", session, content: "one" });
  await wait.reached;
  client.send({ id: "w-1", type: "prompt", session, content: "two" });
  client.send({ id: "w-2", type: "prompt", session, content: "three" });
  await client.do({ type: "ping" });
  await lab[Symbol.asyncDispose]();
  assert.equal(lab.model.requests.length, 1);
  assert(client.events().some((e) => e.type === "withdrawn"), "it was told");
  // What waited has no answer: the client sends it again to the next server.
  assert(!client.told.some((m) => m.type === "ack" && m.id.startsWith("w-")));
  const state = await store().read(session);
  assert.equal(state?.open, undefined);
});
