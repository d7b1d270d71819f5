import assert from "node:assert/strict";
import { JsonStore } from "../../../plugins/json/json_store.ts";
import { call } from "../../scripted_model.ts";
import { untilAborted } from "../../core/setup.ts";
import { until } from "../../until.ts";
import { gate, serverLab } from "./server_lab.ts";
import { removeDir, TempDir } from "../../temp_dir.ts";

Deno.test("a question that is sent again is acknowledged again and asked no second time", async () => {
  await using lab = await serverLab(["One.", "Two."]);
  const client = await lab.client();
  const session = await client.begin();
  const message = { type: "prompt", session, content: "hi" };
  const first = await client.do(message, "m-1");
  const again = await client.do(message, "m-1");
  assert.deepEqual(again, first);
  await client.idle();
  const other = await lab.client();
  assert.deepEqual(await other.do(message, "m-1"), first);
  assert.deepEqual(
    await other.do({ ...message, type: "steer" }, "m-1"),
    first,
  );
  assert.equal(lab.model.requests.length, 1);
});

Deno.test("what is said to one session is not taken for what was said to another", async () => {
  await using lab = await serverLab(["One.", "Two."]);
  const client = await lab.client();
  for (const asked of [1, 2]) {
    const from = client.told.length;
    const session = await client.begin();
    const ack = await client.do(
      { type: "prompt", session, content: "hi" },
      "m-1",
    );
    assert.equal(ack.session, session);
    await client.idle(from);
    assert.equal(lab.model.requests.length, asked);
  }
});

Deno.test("a question that is sent twice at once is asked once", async () => {
  const wait = gate("One.");
  await using lab = await serverLab([wait.step, "Two."]);
  const client = await lab.client();
  const session = await client.begin();
  const message = { type: "prompt", session, content: "hi" };
  client.send({ id: "m-1", ...message });
  client.send({ id: "m-1", ...message });
  await client.answer("m-1");
  wait.open();
  await client.idle();
  await client.do({ type: "ping" });
  const acks = client.told.filter((m) => m.type === "ack" && m.id === "m-1");
  assert.equal(acks.length, 2);
  assert.deepEqual(acks[0], acks[1]);
  assert.equal(lab.model.requests.length, 1);
});

Deno.test("a question that was recorded is not asked again after a restart", async () => {
  const dir = await Deno.makeTempDir();
  const folder = `${dir}/.mm/sessions`;
  let session = "";
  {
    await using lab = await serverLab(["One."], {
      store: new JsonStore(folder),
    });
    const client = await lab.client();
    session = await client.begin();
    await client.do({ type: "prompt", session, content: "hi" }, "m-1");
    await client.idle();
  }
  {
    await using lab = await serverLab(["Two."], {
      store: new JsonStore(folder),
    });
    const client = await lab.client();
    const replay = await client.attach(session);
    const placed = replay.flatMap((s) => s.events).find(({ event }) =>
      event.type === "message" && event.message.id === "m-1"
    );
    const message = { type: "prompt", session, content: "hi" };
    const ack = await client.do(message, "m-1");
    assert.equal(ack.seq, placed?.seq);
    assert.equal(lab.model.requests.length, 0);
    await client.do(message, "m-2");
    await client.idle();
    assert.equal(lab.model.requests.length, 1);
  }
  await removeDir(dir);
});

Deno.test("a /retry that was done is not done again after a restart", async () => {
  await using dir = await TempDir.make();
  const store = () => new JsonStore(`${dir.path}/.mm/sessions`);
  const message = { type: "command", session: "", text: "/retry" };
  {
    const script = [new Error("down"), "Now."];
    await using lab = await serverLab(script, { store: store() });
    const client = await lab.client();
    message.session = await client.begin();
    const { session } = message;
    await client.do({ type: "prompt", session, content: "hi" });
    await client.idle();
    await client.do(message, "c-1");
    assert.equal(lab.model.requests.length, 2);
  }
  await using lab = await serverLab(["Again?"], { store: store() });
  const client = await lab.client();
  await client.do(message, "c-1");
  assert.equal(lab.model.requests.length, 0);
});

Deno.test("a question the store cannot take is refused, and may be sent again", async () => {
  const { SpyStore } = await import("../../core/setup.ts");
  const store = new SpyStore();
  await using lab = await serverLab(["One."], { store });
  const client = await lab.client();
  const session = await client.begin();
  store.failures.push(new Error("secret path"));
  const message = { type: "prompt", session, content: "hi" };
  const print = console.error;
  console.error = () => {};
  const refused = await client.ask(message, "m-1");
  console.error = print;
  assert(refused.type === "error" && refused.code === "failed");
  assert.doesNotMatch(refused.message, /secret/);
  const ack = await client.do(message, "m-1");
  assert(ack.seq !== undefined);
});

Deno.test("a message steered into a running turn stands at its place by arrival", async () => {
  const wait = gate({ content: "", toolCalls: [call("look", { text: "x" })] });
  await using lab = await serverLab([wait.step, "Both done."]);
  const [one, two] = [await lab.client(), await lab.client()];
  const session = await one.begin();
  await two.attach(session);
  await one.do({ type: "prompt", session, content: "first" });
  await wait.reached;
  const steered = await two.do(
    { type: "steer", session, content: "also this" },
    "s-1",
  );
  wait.open();
  await one.idle();
  await two.idle();
  for (const client of [one, two]) {
    const at = client.told.find((m) =>
      m.type === "event" && m.event.type === "message" &&
      m.event.message.id === "s-1"
    );
    assert(at?.type === "event");
    assert.equal(at.seq, steered.seq);
  }
  assert.deepEqual(one.events(), two.events());
  assert.equal(lab.model.requests.length, 2);
});

Deno.test("a question behind a running turn waits, and all are told that it does", async () => {
  const wait = gate("One.");
  await using lab = await serverLab([wait.step, "Two."]);
  const client = await lab.client();
  const session = await client.begin();
  await client.do({ type: "prompt", session, content: "one" });
  await wait.reached;
  client.send({ id: "m-2", type: "prompt", session, content: "two" });
  const { state } = await client.next("state");
  assert.equal(state.waiting, 1);
  assert(!client.told.some((m) => m.type === "ack" && m.id === "m-2"));
  wait.open();
  await client.answer("m-2");
  assert.equal((await client.next("state")).state.waiting, 0);
});

Deno.test("any client may cancel, and what was cancelled is withdrawn for all", async () => {
  await using lab = await serverLab([untilAborted(), "Here again."]);
  const [one, two] = [await lab.client(), await lab.client()];
  const session = await one.begin();
  await two.attach(session);
  await one.do({ type: "prompt", session, content: "never mind" });
  await two.event((e) => e.type === "message");
  await until(() => lab.model.requests.length === 1);
  await two.do({ type: "cancel", session });
  await one.idle();
  assert(one.events().some((e) => e.type === "withdrawn"));
  const from = one.told.length;
  await one.do({ type: "prompt", session, content: "hi" });
  await one.idle(from);
  assert.equal((await lab.agent.read(session))?.turns, 1);
});

Deno.test("commands answer the one who typed them", async () => {
  await using lab = await serverLab(["One."]);
  const [one, two] = [await lab.client(), await lab.client()];
  const session = await one.begin();
  await two.attach(session);
  await one.do({ type: "prompt", session, content: "hi" });
  await one.idle();
  const { said } = await one.do({
    type: "command",
    session,
    text: "/rename My talk",
  });
  assert.deepEqual(said, ['Renamed to "My talk".']);
  const titled = await two.event((e) => e.type === "titled");
  assert(titled.type === "titled" && titled.title === "My talk");
  assert.equal((await two.next("state")).state.title, "My talk");
  for (
    const [text, words] of [
      ["/nope", /Cannot find command \/nope/],
      ["/new", /others may watch/],
      ["/quit", /Cannot quit/],
      ["hello", /starts with \//],
    ] as const
  ) {
    const answer = await one.ask({ type: "command", session, text });
    assert(answer.type === "error");
    assert.match(answer.message, words);
  }
  assert(!two.told.some((m) => m.type === "ack" && m.said));
});

Deno.test("a command that is sent twice runs once", async () => {
  await using lab = await serverLab(["One.", new Error("down"), "Three."]);
  const client = await lab.client();
  const session = await client.begin();
  for (const content of ["one", "two"]) {
    const from = client.told.length;
    await client.do({ type: "prompt", session, content });
    await client.idle(from);
  }
  const message = { type: "command", session, text: "/retry" };
  client.send({ id: "c-1", ...message });
  client.send({ id: "c-1", ...message });
  await client.answer("c-1");
  await client.do(message, "c-1");
  assert.equal(lab.model.requests.length, 3);
});

Deno.test("the list has the stored conversations, and says which run", async () => {
  const wait = gate("Two.");
  await using lab = await serverLab(["One.", wait.step]);
  const client = await lab.client();
  const first = await client.begin();
  await client.do({ type: "prompt", session: first, content: "about apples" });
  await client.idle();
  const second = await client.begin();
  await client.do({ type: "prompt", session: second, content: "about pears" });
  await wait.reached;
  const { sessions } = await client.do({ type: "list" });
  assert.deepEqual(
    new Map(sessions?.map((s) => [s.id, s.running])),
    new Map([[second, true], [first, undefined]]),
  );
  const found = await client.do({ type: "list", text: "APPLE" });
  assert.deepEqual(found.sessions?.map((s) => s.id), [first]);
  const page = await client.do({ type: "list", limit: 1 });
  assert(page.next !== undefined && page.sessions?.length === 1);
  const rest = await client.do({ type: "list", limit: 1, cursor: page.next });
  assert.equal(rest.sessions?.length, 1);
  assert.notEqual(rest.sessions?.[0]?.id, page.sessions[0]?.id);
  const bad = await client.ask({ type: "list", cursor: "§" });
  assert(bad.type === "error" && bad.code === "bad_message");
  wait.open();
});

Deno.test("a search finds words in messages, and shows where they stand", async () => {
  await using lab = await serverLab(["Pears are green.", "Apples are red."]);
  const client = await lab.client();
  const ids: string[] = [];
  for (const content of ["what of pears?", "what of apples?"]) {
    const from = client.told.length;
    const session = await client.begin();
    ids.push(session);
    await client.do({ type: "prompt", session, content });
    await client.idle(from);
  }
  const one = await client.do({ type: "list", search: "green PEARS" });
  assert.deepEqual(one.sessions?.map((s) => s.id), [ids[0]]);
  assert.match(one.sessions?.[0]?.snippets?.join() ?? "", /Pears are green/);
  const none = await client.do({ type: "list", search: "green apples" });
  assert.deepEqual(none.sessions, []);
  const both = await client.do({ type: "list", search: "what of" });
  assert.equal(both.sessions?.length, 2);
  // Of both, whichever is the better one: the limit counts what is wanted.
  for (const [n, text] of ["PEARS", "Apples"].entries()) {
    const part = { type: "list", search: "what", text, limit: 1 } as const;
    const { sessions } = await client.do(part);
    assert.deepEqual(sessions?.map((s) => s.id), [ids[n]]);
  }
});

Deno.test("a turn of another facade is listed as running", async () => {
  const wait = gate("Done.");
  await using lab = await serverLab([wait.step]);
  const session = lab.agent.create(); // an editor's
  const turn = session.prompt("go");
  await wait.reached;
  const client = await lab.client();
  const { sessions } = await client.do({ type: "list" });
  assert.equal(sessions?.[0]?.running, true);
  wait.open();
  await turn;
});
