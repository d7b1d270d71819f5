import assert from "node:assert/strict";
import { isPrompt } from "../../../core/fold.ts";
import { foldAll } from "../../../core/fold_all.ts";
import type { SessionEvent } from "../../../core/event.ts";
import { MAX_FRAME } from "../../../facades/remote/wire.ts";
import type { StructuredReplay } from "../../../facades/remote/wire.ts";
import { until } from "../../until.ts";
import { gate, serverLab } from "./server_lab.ts";

Deno.test("a client is greeted with the version, the folder and the commands", async () => {
  await using lab = await serverLab();
  const client = await lab.client();
  const [hello] = client.told;
  assert(hello?.type === "hello");
  assert.equal(hello.version, "1.2.3");
  assert.equal(hello.cwd, "/project");
  const names = hello.commands.map((c) => c.name);
  assert(names.includes("compact") && names.includes("model"));
  for (const own of ["new", "quit", "resume", "sessions"]) {
    assert(!names.includes(own), `${own} is the client's own`);
  }
});

Deno.test("a question gets its place in the record and its answer streams", async () => {
  await using lab = await serverLab(["Hello there."]);
  const client = await lab.client();
  const session = await client.begin();
  const { seq } = await client.do(
    { type: "prompt", session, content: "hi" },
    "m-1",
  );
  await client.idle();
  const placed = client.told.flatMap((m) => m.type === "event" ? [m] : []);
  assert.deepEqual(placed.map((p) => p.seq), placed.map((_, i) => i + 1));
  const asked = placed.find((p) => p.seq === seq)?.event;
  assert(asked?.type === "message" && asked.message.id === "m-1");
  const types = placed.map((p) => p.event.type);
  assert(types.includes("text"));
  assert.equal(types.at(-1), "running");
  assert(!JSON.stringify(placed).includes('"system"'), "no system prompt");
});

Deno.test("attach tells the whole record, which folds to the session's state", async () => {
  await using lab = await serverLab(["One.", "Two.", new Error("broken")]);
  const client = await lab.client();
  const session = await client.begin();
  for (const content of ["one", "two", "three"]) {
    const from = client.told.length;
    await client.do({ type: "prompt", session, content });
    await client.idle(from);
  }
  const later = await lab.client();
  const replay = await later.attach(session);
  await folds(replay, lab, session);
  assert.equal(replay[0]?.truncated, false);
  assert.equal(replay.at(-1)?.state.turns, 2);
  assert.equal(replay.at(-1)?.state.errors, 1);
});

Deno.test("attach with a known position tells what came after it", async () => {
  await using lab = await serverLab(["One.", "Two."]);
  const client = await lab.client();
  const session = await client.begin();
  await client.do({ type: "prompt", session, content: "one" });
  await client.idle();
  const [first] = await client.attach(session);
  const since = first!.state.recordSeq;
  const { epoch } = first!;
  const other = await lab.client();
  const from = client.told.length;
  await other.do({ type: "prompt", session, content: "two" });
  await client.idle(from);

  const part = await other.attach(session, { since, epoch });
  assert(part.every((slice) => slice.since === since && slice.epoch === epoch));
  const events = part.flatMap((slice) => slice.events);
  assert(events.length > 0 && events.every(({ seq }) => seq > since));
  assert.deepEqual(
    events.map(({ event }) => event.type),
    ["message", "message", "settled"],
  );

  const nothing = await other.attach(session, {
    since: part.at(-1)!.state.recordSeq,
    epoch,
  });
  assert.deepEqual(nothing.flatMap((slice) => slice.events), []);
});

Deno.test("attach tells everything when the position cannot be used", async () => {
  await using lab = await serverLab(["One."]);
  const client = await lab.client();
  const session = await client.begin();
  await client.do({ type: "prompt", session, content: "one" });
  await client.idle();
  const [{ epoch, state }] = await client.attach(session) as [StructuredReplay];
  const bad = [
    { since: 2, epoch: "another" },
    { since: 2 },
    { since: state.recordSeq + 1, epoch },
    { since: 0, epoch },
  ];
  for (const known of bad) {
    const replay = await client.attach(session, known);
    assert.equal(replay[0]?.since, undefined, JSON.stringify(known));
    await folds(replay, lab, session);
  }
});

Deno.test("a long record comes in slices of bounded size, in order", async () => {
  const answer = "A-word-of-the-answer-".repeat(500);
  await using lab = await serverLab(new Array(30).fill({ content: answer }));
  const client = await lab.client();
  const session = await client.begin();
  for (let n = 0; n < 30; n++) {
    const from = client.told.length;
    await client.do({ type: "prompt", session, content: `question ${n}` });
    await client.idle(from);
  }
  const later = await lab.client();
  const replay = await later.attach(session);
  assert(replay.length > 3);
  assert.deepEqual(replay.map((s) => s.seq), replay.map((_, i) => i));
  assert.deepEqual(
    replay.map((s) => s.last),
    replay.map((_, i) => i === replay.length - 1),
  );
  const longest = Math.max(...later.frames.map((f) => utf8(f)));
  assert(longest <= MAX_FRAME && longest > MAX_FRAME / 2);
  await folds(replay, lab, session);
});

Deno.test("what is longer than a frame comes in parts", async () => {
  const odd = '"quoted" \\ 😀 line\n'.repeat(40_000);
  await using lab = await serverLab([{ content: "ok" }]);
  const client = await lab.client();
  const session = await client.begin();
  await client.do({ type: "prompt", session, content: odd });
  await client.idle();
  const later = await lab.client();
  const replay = await later.attach(session);
  for (const frame of [...client.frames, ...later.frames]) {
    assert(utf8(frame) <= MAX_FRAME);
  }
  assert(client.frames.some((f) => f.startsWith('{"type":"part"')));
  await folds(replay, lab, session);
});

Deno.test("who comes in mid-answer is told what was said so far, and then the rest", async () => {
  const middle = gate({ content: "never" });
  const model = {
    name: "halting",
    async *stream(_request: unknown, signal: AbortSignal) {
      yield { type: "thought", text: "Let me " } as const;
      yield { type: "thought", text: "see. " } as const;
      yield { type: "text", text: "Half " } as const;
      yield { type: "text", text: "of " } as const;
      const step = middle.step as (r: unknown, s: AbortSignal) => unknown;
      await step(undefined, signal);
      yield { type: "text", text: "it." } as const;
      return { content: "Half of it.", stopReason: "end_turn" } as const;
    },
  };
  await using lab = await serverLab([], { agent: { model } });
  const client = await lab.client();
  const session = await client.begin();
  await client.do({ type: "prompt", session, content: "go" });
  await client.event((e) => e.type === "text" && e.text === "of ");
  await middle.reached;

  const later = await lab.client();
  const replay = await later.attach(session);
  const last = replay.at(-1)!;
  assert.equal(last.state.running, true);
  const passing = last.events.map((e) => e.event)
    .filter((e) => e.type === "text" || e.type === "thought");
  assert.deepEqual(passing.map((e) => [e.type, e.text]), [
    ["thought", "Let me see. "],
    ["text", "Half of "],
  ]);
  middle.open();
  await later.idle();
  const rest = later.events().flatMap((e) => e.type === "text" ? e.text : []);
  assert.deepEqual(rest, ["it."]);
});

Deno.test("events of one session and epoch have positions without a gap, for late clients too", async () => {
  await using lab = await serverLab(["One.", "Two.", "Three."]);
  const client = await lab.client();
  const session = await client.begin();
  await client.do({ type: "prompt", session, content: "1" });
  await client.idle();
  const later = await lab.client();
  const replay = await later.attach(session);
  await later.do({ type: "prompt", session, content: "2" });
  await later.idle();
  const seqs = later.told.flatMap((m) => m.type === "event" ? [m.seq] : []);
  const { recordSeq } = replay.at(-1)!.state;
  assert.deepEqual(seqs, seqs.map((_, i) => recordSeq + 1 + i));
});

Deno.test("presence is told to all when it changes", async () => {
  await using lab = await serverLab();
  const one = await lab.client();
  const session = await one.begin();
  assert.equal((await one.next("presence")).count, 1);
  const two = await lab.client();
  await two.attach(session);
  assert.equal((await one.next("presence")).count, 2);
  assert.equal((await two.next("presence")).count, 2);
  await two.attach(session); // the same one again
  await two.close();
  assert.equal((await one.next("presence")).count, 1);
  const three = await lab.client();
  await three.attach(session);
  assert.equal((await one.next("presence")).count, 2);
  await three.begin(); // shows another
  assert.equal((await one.next("presence")).count, 1);
});

Deno.test("two clients that begin the same conversation at once share it", async () => {
  await using lab = await serverLab(["Hi."]);
  const [one, two] = [await lab.client(), await lab.client()];
  const id = "20261201-101010-0123abcd";
  assert.deepEqual(
    await Promise.all([one.begin(id), two.begin(id)]),
    [id, id],
  );
  await one.do({ type: "prompt", session: id, content: "hi" });
  await two.idle();
  assert.equal((await lab.agent.list()).items.length, 1);
});

Deno.test("a conversation nobody has cannot be attached to, whatever its name", async () => {
  await using lab = await serverLab();
  const client = await lab.client();
  for (
    const session of ["20261201-101010-0123abcd", "../../etc/passwd", "", "x"]
  ) {
    const answer = await client.ask({ type: "attach", session });
    assert(answer.type === "error" && answer.code === "no_session", session);
  }
  const bad = await client.ask({ type: "new", session: "../x" });
  assert(bad.type === "error" && bad.code === "bad_message");
});

Deno.test("the record is bounded, keeps how it began and says what is missing", async () => {
  await using lab = await serverLab(new Array(40).fill("Answer."), {
    serve: { replay: { events: 20, bytes: 1_000_000 } },
  });
  const client = await lab.client();
  const session = await client.begin();
  for (let n = 0; n < 40; n++) {
    const from = client.told.length;
    await client.do({ type: "prompt", session, content: `q ${n}` });
    await client.idle(from);
  }
  const [slice] = await client.attach(session);
  assert.equal(slice?.truncated, true);
  const events = slice!.events.map((e) => e.event as SessionEvent);
  assert.equal(events[0]?.type, "opened");
  assert.equal(events.length, 21);
  const state = await lab.agent.read(session);
  const kept = foldAll(events).messages;
  const all = state!.messages.filter((m) => !isPrompt(m));
  assert.deepEqual(kept, all.slice(-kept.length));
  // What was dropped cannot be told as a part.
  const part = await client.attach(session, { since: 3, epoch: slice!.epoch });
  assert.equal(part[0]?.since, undefined);
});

Deno.test("a client that left is told nothing more, and the session goes on", async () => {
  const wait = gate("Done.");
  await using lab = await serverLab([wait.step]);
  const client = await lab.client();
  const session = await client.begin();
  await client.do({ type: "prompt", session, content: "go" });
  await wait.reached;
  await client.close();
  wait.open();
  await until(() => lab.server.clients === 0);
  const later = await lab.client();
  await until(() => lab.model.requests.length === 1);
  const replay = await later.attach(session);
  await folds(replay, lab, session);
});

async function folds(
  replay: readonly StructuredReplay[],
  lab: Awaited<ReturnType<typeof serverLab>>,
  session: string,
): Promise<void> {
  const state = await lab.agent.read(session);
  const events = replay.flatMap((slice) => slice.events)
    .map(({ event }) => event).filter((e) => "seq" in e);
  assert.deepEqual(
    foldAll(events as SessionEvent[]).messages,
    state!.messages.filter((m) => !isPrompt(m)),
  );
}

function utf8(text: string): number {
  return new TextEncoder().encode(text).length;
}

Deno.test("long messages in many pieces come whole", async () => {
  const content = "é😀x ".repeat(100_000);
  await using lab = await serverLab(new Array(5).fill("Yes."));
  const client = await lab.client();
  const session = await client.begin();
  for (let n = 0; n < 5; n++) {
    const from = client.told.length;
    await client.do({ type: "prompt", session, content: `${n} ${content}` });
    await client.idle(from);
  }
  const state = await lab.agent.read(session);
  const asked = state!.messages.filter((m) => m.role === "user");
  assert.deepEqual(
    asked.map((m) => m.content),
    asked.map((_, n) => `${n} ${content}`),
  );
});

Deno.test("replays that are read at the same time do not disturb each other", async () => {
  const answers = Array.from({ length: 60 }, (_, n) => `${n}-`.repeat(20_000));
  await using lab = await serverLab(answers.map((content) => ({ content })));
  const client = await lab.client();
  const session = await client.begin();
  for (let n = 0; n < answers.length; n++) {
    const from = client.told.length;
    await client.do({ type: "prompt", session, content: `q ${n}` });
    await client.idle(from);
  }
  const clients = await Promise.all(Array.from({ length: 8 }, lab.client));
  const replays = await Promise.all(clients.map((c) => c.attach(session)));
  for (const replay of replays) await folds(replay, lab, session);
});
