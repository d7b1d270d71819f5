import { methods } from "@agentclientprotocol/sdk";
import assert from "node:assert/strict";
import { ModelError } from "../../../core/error.ts";
import { call, type Step } from "../../scripted_model.ts";
import { tools, untilAborted } from "../../core/setup.ts";
import { HeldTimers } from "../../held_timers.ts";
import { lab } from "./lab.ts";

const { session } = methods.agent;

Deno.test("the user's own prompt is not told back (anomalyco/opencode#22468)", async () => {
  await using t = await lab(["one", "one"]);
  const id = await t.open();
  await t.ask(id, "same");
  await t.ask(id, "same");
  const kinds = t.of(id).map((u) => u.sessionUpdate);
  assert.ok(!kinds.includes("user_message_chunk"));
});

Deno.test("a prompt of another facade is shown", async () => {
  await using t = await lab(["one"]);
  const id = await t.open();
  await (await t.agent.session(id))?.prompt("from elsewhere");
  const update = await t.heard((u) => u.sessionUpdate === "user_message_chunk");
  assert.ok(JSON.stringify(update).includes("from elsewhere"));
});

Deno.test("a cancelled prompt ends as cancelled (agentclientprotocol/claude-agent-acp#694, github/copilot-cli#4561)", async () => {
  const running = Promise.withResolvers<void>();
  await using t = await lab([untilAborted(running.resolve), "more"]);
  const id = await t.open();
  const asked = t.ask(id, "hello");
  await running.promise;
  await t.client.notify(session.cancel, { sessionId: id });
  assert.deepEqual(await asked, { stopReason: "cancelled" });
  assert.deepEqual(await t.ask(id, "again"), { stopReason: "end_turn" });
});

Deno.test("a cancel in the same breath as the prompt is heeded (agentclientprotocol/claude-agent-acp#442)", async () => {
  await using t = await lab(Array.from({ length: 50 }, () => untilAborted()));
  const id = await t.open();
  for (let n = 0; n < 20; n++) {
    const prompt = {
      jsonrpc: "2.0",
      id: `p${n}`,
      method: "session/prompt",
      params: { sessionId: id, prompt: [{ type: "text", text: "go" }] },
    };
    const cancel = {
      jsonrpc: "2.0",
      method: "session/cancel",
      params: { sessionId: id },
    };
    t.pipe.bytes(`${JSON.stringify(prompt)}\n${JSON.stringify(cancel)}\n`);
    const { result } = await t.pipe.answer(`p${n}`);
    assert.deepEqual(result, { stopReason: "cancelled" });
  }
});

Deno.test("$/cancel_request ends a prompt, which is answered once", async () => {
  const running = Promise.withResolvers<void>();
  await using t = await lab([untilAborted(running.resolve)]);
  const id = await t.open();
  const stop = new AbortController();
  const asked = t.client.request(session.prompt, {
    sessionId: id,
    prompt: [{ type: "text", text: "go" }],
  }, { cancellationSignal: stop.signal });
  await running.promise;
  stop.abort();
  assert.deepEqual(await asked, { stopReason: "cancelled" });
});

Deno.test("session/cancel with nothing to cancel does nothing", async () => {
  await using t = await lab(["fine"]);
  const id = await t.open();
  await t.client.notify(session.cancel, { sessionId: id });
  await t.client.notify(session.cancel, { sessionId: "unknown" });
  assert.deepEqual(await t.ask(id, "hello"), { stopReason: "end_turn" });
});

Deno.test("a second prompt cancels the first, then runs (can1357/oh-my-pi#2186)", async () => {
  const running = Promise.withResolvers<void>();
  await using t = await lab([untilAborted(running.resolve), "second"]);
  const id = await t.open();
  const first = t.ask(id, "one");
  await running.promise;
  const second = t.ask(id, "two");
  assert.deepEqual(await first, { stopReason: "cancelled" });
  assert.deepEqual(await second, { stopReason: "end_turn" });
  assert.equal(t.model.requests.length, 2);
});

Deno.test("of many prompts at once the last one runs, each is answered", async () => {
  const answer: Step = ({ messages }) =>
    messages.at(-1)?.content === "d" ? "last" : untilAborted();
  await using t = await lab([answer, answer, answer, answer]);
  const id = await t.open();
  const ends = await Promise.all(
    ["a", "b", "c", "d"].map((text) => t.ask(id, text)),
  );
  assert.deepEqual(ends.map((e) => e.stopReason), [
    "cancelled",
    "cancelled",
    "cancelled",
    "end_turn",
  ]);
});

Deno.test("a failed turn is an error whose message is the recorded line", async () => {
  await using t = await lab([
    new ModelError("network", "The server at 127.0.0.1 is down: start it", {
      raw: "secret detail",
    }),
    "better",
  ]);
  const id = await t.open();
  const line = "The server at 127.0.0.1 is down: start it";
  await assert.rejects(t.ask(id, "hello"), { code: -32603, message: line });
  const state = await t.agent.read(id);
  assert.equal(state?.errors[0]?.line, line);
  await assert.rejects(t.ask(id, "again"), () => true).catch(() => {});
  assert.ok(!JSON.stringify(t.pipe.out).includes("secret detail"));
});

Deno.test("/retry asks the failed question again, and fails as a prompt does", async () => {
  await using t = await lab([
    new Error("Down"),
    new Error("Still down"),
    "Up again",
  ]);
  const id = await t.open();
  await assert.rejects(t.ask(id, "hello"), { message: "Down" });
  await assert.rejects(t.ask(id, "/retry"), { message: "Still down" });
  assert.deepEqual(await t.ask(id, "/retry"), { stopReason: "end_turn" });
  const state = await t.agent.read(id);
  assert.equal(state?.messages[1]?.content, "hello");
});

Deno.test("a missing key asks for authentication", async () => {
  const problem = "Cannot ask api.example.com: no API key (set EXAMPLE_KEY)";
  await using t = await lab(["ok"], {
    model: { problem },
    capabilities: { auth: { terminal: true } },
  });
  await assert.rejects(t.open(), { code: -32000, message: problem });
  const { authenticate } = methods.agent;
  await assert.rejects(
    t.client.request(authenticate, { methodId: "key" }),
    { code: -32000 },
  );
  await assert.rejects(
    t.client.request(authenticate, { methodId: "other" }),
    { code: -32602 },
  );
  Object.assign(t.model, { problem: undefined });
  await t.client.request(authenticate, { methodId: "key" });
  await t.open();
});

Deno.test("a key that is refused asks for authentication, too", async () => {
  await using t = await lab([new ModelError("auth", "The key is wrong")]);
  const id = await t.open();
  await assert.rejects(t.ask(id, "hello"), {
    code: -32000,
    message: "The key is wrong",
  });
});

Deno.test("a turn of too many rounds ends as max_turn_requests, and says so", async () => {
  await using t = await lab(
    Array.from(
      { length: 5 },
      (_, n) => ({ toolCalls: [call("look", { text: String(n) })] }),
    ),
    { agent: { maxRounds: 2 } },
  );
  const id = await t.open();
  assert.deepEqual(await t.ask(id, "go"), { stopReason: "max_turn_requests" });
  assert.ok(JSON.stringify(t.of(id)).includes("Stopped after 2 rounds"));
});

Deno.test("an answer that was cut off, or refused, says so", async () => {
  await using t = await lab([
    { content: "Half", stopReason: "max_tokens" },
    { content: "No", stopReason: "refusal" },
  ]);
  const id = await t.open();
  assert.deepEqual(await t.ask(id, "a"), { stopReason: "max_tokens" });
  assert.deepEqual(await t.ask(id, "b"), { stopReason: "refusal" });
});

Deno.test("images and audio are taken where the model takes them, and refused elsewhere", async () => {
  const image = { type: "image", data: "aGk=", mimeType: "image/png" } as const;
  const audio = { type: "audio", data: "aGk=", mimeType: "audio/wav" } as const;
  await using t = await lab(["I see"], { model: { accepts: { image: true } } });
  const { promptCapabilities } = (await t.client.request(
    methods.agent.initialize,
    { protocolVersion: 1 },
  )).agentCapabilities ?? {};
  assert.deepEqual(promptCapabilities, {
    image: true,
    audio: false,
    embeddedContext: true,
  });
  const id = await t.open();
  const ask = (block: typeof image | typeof audio) =>
    t.client.request(session.prompt, { sessionId: id, prompt: [block] });
  await assert.rejects(ask(audio), { code: -32602 });
  await ask(image);
  assert.deepEqual(t.model.requests[0]?.messages[1]?.content, [image]);
  await assert.rejects(
    t.client.request(session.prompt, { sessionId: id, prompt: [] }),
    { code: -32602 },
  );
});

Deno.test("/new makes the held id a fresh conversation and keeps the old one under another", async () => {
  await using t = await lab(["one", new Error("Gone"), "fresh"]);
  const id = await t.open();
  await t.ask(id, "first");
  await assert.rejects(t.ask(id, "fails"));
  assert.deepEqual(await t.ask(id, "/new"), { stopReason: "end_turn" });
  assert.deepEqual((await t.agent.store.read(id))?.messages, []);
  await t.ask(id, "second");
  const { items } = await t.agent.list();
  const old = items.find((s) => s.id !== id);
  assert.deepEqual(items.map((s) => s.title).toSorted(), ["first", "second"]);
  // The errors went with their conversation.
  assert.equal((await t.agent.read(old?.id ?? ""))?.errors.length, 1);
  assert.equal((await t.agent.read(id))?.errors.length, 0);
  await t.client.request(session.close, { sessionId: id });
  const from = t.updates.length;
  await t.client.request(session.load, {
    sessionId: id,
    cwd: t.dir,
    mcpServers: [],
  });
  const text = JSON.stringify(t.of(id, from));
  assert.ok(text.includes("second") && !text.includes("first"));
});

Deno.test("after /new the held id can be loaded before anything is asked", async () => {
  await using t = await lab(["one", "two"]);
  const id = await t.open();
  await t.ask(id, "first");
  await t.ask(id, "/new");
  await t.client.request(session.close, { sessionId: id });
  const from = t.updates.length;
  const here = { sessionId: id, cwd: t.dir, mcpServers: [] };
  await t.client.request(session.load, here);
  assert.deepEqual(t.of(id, from), []);
  const { sessions } = await t.client.request(session.list, {});
  assert.equal(sessions.length, 2);
  await t.ask(id, "second");
  assert.equal((await t.agent.store.read(id))?.title, "second");
  // With nothing to keep there is nothing to hold an id for.
  const empty = await t.open();
  await t.ask(empty, "/new");
  assert.equal(await t.agent.store.read(empty), undefined);
});

Deno.test("commands are told after the session's answer, or before the first output (zed-industries/zed#60199, BrokkAi/brokk-app#3663)", async () => {
  using greeting = new HeldTimers(100);
  await using t = await lab(["hi"]);
  const id = await t.open();
  assert.deepEqual(t.of(id), []);
  greeting.fire();
  await t.heard((u) => u.sessionUpdate === "available_commands_update");
  const [update, ...more] = t.of(id);
  assert.ok(update?.sessionUpdate === "available_commands_update");
  assert.deepEqual(more, []);
  const names = update.availableCommands.map((c) => c.name);
  assert.ok(names.includes("new") && names.includes("compact"));
  assert.ok(!names.includes("quit") && !names.includes("resume"));
  const fast = await t.open();
  await t.ask(fast, "at once");
  assert.equal(t.of(fast)[0]?.sessionUpdate, "available_commands_update");
  greeting.fire();
  const lists = t.of(fast).filter((u) =>
    u.sessionUpdate === "available_commands_update"
  );
  assert.equal(lists.length, 1);
});

Deno.test("a command answers as a message; an unknown one is told; a path is a question", async () => {
  await using t = await lab(["It is a file"]);
  const id = await t.open();
  let from = t.updates.length;
  await t.ask(id, "/help");
  assert.ok(JSON.stringify(t.of(id, from)).includes("/compact"));
  from = t.updates.length;
  await t.ask(id, "/helpp");
  assert.ok(JSON.stringify(t.of(id, from)).includes("did you mean /help"));
  assert.equal(t.model.requests.length, 0);
  await t.ask(id, "/etc/hosts is what?");
  assert.equal(t.model.requests.length, 1);
});

Deno.test("a command that takes long can be cancelled", async () => {
  const running = Promise.withResolvers<void>();
  await using t = await lab(["1", "2", "3", untilAborted(running.resolve)]);
  const id = await t.open();
  for (const q of ["a", "b", "c"]) await t.ask(id, q);
  const asked = t.ask(id, "/compact");
  await running.promise;
  await t.client.notify(session.cancel, { sessionId: id });
  assert.deepEqual(await asked, { stopReason: "cancelled" });
});

Deno.test("usage and title are told as they change", async () => {
  await using t = await lab([
    { content: "hi", usage: { input: 10, output: 2 } },
  ], { window: 1000 });
  const id = await t.open();
  await t.ask(id, "What is this?\nAnd more");
  const infos = t.of(id).filter((u) =>
    u.sessionUpdate === "session_info_update"
  );
  assert.equal("title" in infos[0]! && infos[0].title, "What is this?");
  const usage = t.of(id).find((u) => u.sessionUpdate === "usage_update");
  assert.deepEqual(usage, {
    sessionUpdate: "usage_update",
    used: 12,
    size: 1000,
  });
  await t.ask(id, "/rename Better");
  assert.ok(
    t.of(id).some((u) =>
      u.sessionUpdate === "session_info_update" && u.title === "Better"
    ),
  );
});

for (const notices of [false, true]) {
  Deno.test(`notices are ${notices ? "notices" : "thoughts"} for a client that ${notices ? "shows" : "does not know"} them`, async () => {
    await using t = await lab(["hi"], {
      capabilities: notices ? { session: { notices: {} } } : {},
      bundles: [{
        serve: () =>
          Promise.resolve({
            tools: [],
            problems: ["Cannot start MCP server x: not found"],
            [Symbol.asyncDispose]: () => Promise.resolve(),
          }),
      }],
    });
    const id = await t.open();
    await t.ask(id, "hello");
    const kind = notices ? "notice" : "agent_thought_chunk";
    const update = t.of(id).find((u) => u.sessionUpdate === kind);
    assert.ok(JSON.stringify(update).includes("Cannot start MCP server x"));
  });
}

Deno.test("mm's own methods: _mm/errors and _mm/steer; others are unknown", async () => {
  const first = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const { look } = tools();
  await using t = await lab([
    async () => {
      first.resolve();
      await go.promise;
      return { toolCalls: [call("look", { text: "a" })] };
    },
    "Both heeded",
    new Error("Down"),
  ], { bundles: [{ tools: [look] }] });
  const id = await t.open();
  const asked = t.ask(id, "hello");
  await first.promise;
  await t.client.request("_mm/steer", {
    sessionId: id,
    prompt: [{ type: "text", text: "and this" }],
  });
  go.resolve();
  await asked;
  const said = t.model.requests[1]?.messages.map((m) => m.content) ?? [];
  assert.ok(said.includes("and this"));
  await assert.rejects(t.ask(id, "fail"));
  const { errors } = await t.client.request<{ errors: { line: string }[] }>(
    "_mm/errors",
    { sessionId: id },
  );
  assert.equal(errors[0]?.line, "Down");
  await assert.rejects(t.client.request("_mm/nope", {}), { code: -32601 });
  await assert.rejects(t.client.request("_mm/errors", {}), { code: -32602 });
});

Deno.test("_mm/steer refuses what is no prompt", async () => {
  await using t = await lab(["hi"]);
  const id = await t.open();
  const wrong = [
    "x",
    [5],
    [{ type: "text" }],
    [{ type: "resource" }],
    [{ type: "resource", resource: {} }],
    [{ type: "image", data: 1, mimeType: "image/png" }],
    [{ type: "nothing", text: "x" }],
    [],
  ];
  for (const prompt of wrong) {
    const params = { sessionId: id, prompt };
    await assert.rejects(t.client.request("_mm/steer", params), {
      code: -32602,
    });
  }
  assert.equal(t.model.requests.length, 0);
});
