import assert from "node:assert/strict";
import { object } from "zod/mini";
import { errorLine, ModelError } from "../../core/error.ts";
import type { Message } from "../../core/message.ts";
import { defineTool } from "../../core/tool.ts";
import { call } from "../scripted_model.ts";
import { until } from "../until.ts";
import { lines, talk, tools } from "./setup.ts";

const done = { status: "done", reason: "end_turn" };
const look = (text = "a") => ({ toolCalls: [call("look", { text })] });
const failures = (t: ReturnType<typeof talk>) =>
  t.session.state.errors.map((e) => [e.kind, e.line]);
const results = (t: ReturnType<typeof talk>) =>
  t.session.state.messages.filter((m) => m.role === "tool");

Deno.test("a turn that fails without an answer withdraws its question and records the red line", async () => {
  const error = new ModelError("http", "The server said 500:\n oops", {
    raw: "<html>oops",
  });
  await using t = talk([error]);
  const end = await t.session.prompt("one line");
  const { state } = t.session;
  assert.deepEqual(lines(state), []);
  assert.deepEqual([state.open, state.turns], [undefined, 0]);
  const [failure] = state.errors;
  assert.deepEqual(failure && { ...failure, at: "" }, {
    at: "",
    kind: "generation",
    turns: 0,
    question: "one line",
    line: errorLine(error),
    raw: "<html>oops",
  });
  assert.equal(failure?.line, "The server said 500: oops");
  assert.deepEqual(end, { status: "failed", reason: "failed", failure });
  assert.deepEqual(await t.store.read(t.session.id), state);
});

Deno.test("a failed turn keeps the whole question when it is more than its first line", async () => {
  await using t = talk([new Error("down")]);
  await t.session.prompt("first\nsecond");
  const [failure] = t.session.state.errors;
  assert.equal(failure?.question, "first");
  assert.equal(failure?.prompt, "first\nsecond");
});

Deno.test("a failed turn is told to listeners as the event that is stored", async () => {
  await using t = talk([new Error("down")]);
  await t.session.prompt("hi");
  const told = t.updates.filter((u) => u.type === "failed");
  assert.deepEqual(told, t.store.log.filter((e) => e.type === "failed"));
  assert.equal(told.length, 1);
});

Deno.test("a turn that fails after tool calls keeps them", async () => {
  await using t = talk([look(), new Error("down"), "go on"]);
  assert.equal((await t.session.prompt("go")).status, "failed");
  assert.deepEqual(lines(t.session.state), [
    "user: go",
    "assistant: ",
    "tool look: did a",
  ]);
  assert.deepEqual(failures(t), [["generation", "down"]]);
  assert.equal(t.session.state.turns, 1);
  await t.session.prompt("and now?");
  const roles = t.model.requests.at(-1)?.messages.map((m) => m.role);
  assert.deepEqual(roles, ["system", "user", "assistant", "tool", "user"]);
});

Deno.test("a turn that fails after an answer it was steered past keeps that answer", async () => {
  await using t = talk([
    async () => {
      await t.session.steer("and b?");
      return "a is 1";
    },
    new Error("down"),
  ]);
  await t.session.prompt("a?");
  assert.deepEqual(lines(t.session.state), [
    "user: a?",
    "user: and b?",
    "assistant: a is 1",
  ]);
  assert.equal(t.session.state.errors[0]?.prompt, "a?\n\nand b?");
});

Deno.test("an empty answer is a failure that says so", async () => {
  await using t = talk(["", { content: " \n", stopReason: "max_tokens" }]);
  await t.session.prompt("1");
  await t.session.prompt("2");
  assert.match(failures(t)[0]?.[1] ?? "", /^The answer is empty: the model/);
  assert.match(failures(t)[1]?.[1] ?? "", /raise maxOutput/);
  assert.deepEqual(lines(t.session.state), []);
});

Deno.test("a turn ends for the model's reason", async () => {
  await using t = talk([
    { content: "cut", stopReason: "max_tokens" },
    { content: "no", stopReason: "refusal" },
    { content: "odd", stopReason: "tool_use" },
  ]);
  const reasons = [];
  for (const q of ["1", "2", "3"]) {
    reasons.push((await t.session.prompt(q)).reason);
  }
  assert.deepEqual(reasons, ["max_tokens", "refusal", "end_turn"]);
});

Deno.test("a call of an unknown tool tells the model which there are", async () => {
  await using t = talk([{ toolCalls: [call("lok", {})] }, "sorry"]);
  assert.deepEqual(await t.session.prompt("go"), done);
  assert.equal(
    results(t)[0]?.content,
    'Cannot find tool "lok": choose one of look, change, run',
  );
  assert.equal(t.updates.filter((u) => u.type === "tool_started").length, 1);
});

Deno.test("a call with wrong arguments tells the model what is wrong and runs nothing", async () => {
  let ran = 0;
  const bundles = [{
    tools: Object.values(tools(() => {
      ran++;
      return Promise.resolve({ content: "" });
    })),
  }];
  const toolCalls = [
    call("look", '{"text": "unfinished'),
    call("look", { text: 1 }),
    call("look", null),
    call("look", []),
  ];
  await using t = talk([{ toolCalls }, "sorry"], { bundles });
  assert.deepEqual(await t.session.prompt("go"), done);
  assert.equal(ran, 0);
  const [json, type, missing, list] = results(t).map((m) => m.content);
  assert.match(json ?? "", /^The arguments of look are not valid JSON/);
  assert.match(type ?? "", /^The arguments of look are wrong: text: expected/);
  assert.match(missing ?? "", /wrong: text: expected string/);
  assert.match(list ?? "", /wrong: expected object/);
  assert.deepEqual([...new Set(results(t).map((m) => m.status))], ["failed"]);
});

Deno.test("a tool that throws while it plans or runs is a result, not a failed turn", async () => {
  const input = object({});
  const throwing = (name: string, where: "plan" | "run") =>
    defineTool({
      name,
      description: name,
      kind: "other",
      input,
      plan: () => {
        if (where === "plan") throw new Error("cannot plan");
        return { title: name, access: "auto" };
      },
      run: () => Promise.reject(new Error("cannot\nrun")),
    });
  const bundles = [{ tools: [throwing("p", "plan"), throwing("r", "run")] }];
  await using t = talk(
    [{ toolCalls: [call("p"), call("r")] }, "I see"],
    { bundles },
  );
  assert.deepEqual(await t.session.prompt("go"), done);
  assert.deepEqual(
    results(t).map((m) => [m.content, m.status]),
    [["cannot plan", "failed"], ["cannot run", "failed"]],
  );
  assert.deepEqual(t.session.state.errors, []);
});

Deno.test("a tool that says it failed is recorded as failed with its content", async () => {
  const bundles = [{
    tools: Object.values(
      tools(() => Promise.resolve({ content: "exit 1", failed: true })),
    ),
  }];
  await using t = talk([look(), "I see"], { bundles });
  await t.session.prompt("go");
  assert.deepEqual(
    results(t).map((m) => [m.content, m.status]),
    [["exit 1", "failed"]],
  );
});

Deno.test("a tool's plan is shown before it runs and stored with its result", async () => {
  const toolCalls = [call("change", { text: "b" })];
  await using t = talk([{ toolCalls }, "ok"], { mode: "all" });
  await t.session.prompt("go");
  const started = t.updates.find((u) => u.type === "tool_started");
  const [result] = results(t);
  assert.equal(started?.type === "tool_started" && started.title, "Change b");
  assert.deepEqual(
    started?.type === "tool_started" && started.diffs,
    result?.diffs,
  );
  assert.equal(result?.title, "Change b");
  assert.equal(result?.kind, "edit");
});

Deno.test("a turn stops after so many rounds, keeps what it did and says how to go on", async () => {
  await using t = talk([look("1"), look("2"), look("3")], { maxRounds: 2 });
  const end = await t.session.prompt("go");
  assert.deepEqual([end.status, end.reason], ["failed", "max_turn_requests"]);
  assert.match(failures(t)[0]?.[1] ?? "", /^Stopped after 2 rounds/);
  assert.equal(results(t).length, 2);
  assert.equal(t.model.requests.length, 2);
});

Deno.test("a turn stops at the same call again and again, closing what it did not run", async () => {
  await using t = talk([look(), look(), look(), look(), "never"]);
  const end = await t.session.prompt("go");
  assert.equal(end.status, "failed");
  assert.match(failures(t)[0]?.[1] ?? "", /called look 4 times in a row/);
  assert.deepEqual(results(t).map((m) => m.status), [
    "completed",
    "completed",
    "completed",
    "failed",
  ]);
  assert.match(results(t)[3]?.content ?? "", /^No result was recorded/);
});

Deno.test("calls whose ids repeat or are empty get ids of their own", async () => {
  const same = (text: string) => ({
    toolCalls: [
      { id: "call_0", name: "look", arguments: { text } },
      { id: "", name: "look", arguments: { text: `${text}!` } },
    ],
  });
  await using t = talk([same("a"), same("b"), "done"]);
  await t.session.prompt("go");
  const ids = results(t).map((m) => m.toolCallId);
  assert.equal(new Set(ids).size, 4);
  assert.equal(ids.includes(""), false);
  assert.deepEqual(
    t.model.requests[2]?.messages.filter((m) => m.role === "tool")
      .map((m) => m.content),
    ["did a", "did a!", "did b", "did b!"],
  );
});

Deno.test("an overflowing context is compacted once and asked again", async () => {
  const overflow = new ModelError("overflow", "The context is too long");
  await using t = talk(["a", "b", overflow, "the summary", "c"]);
  await t.session.prompt("1");
  await t.session.prompt("2");
  assert.deepEqual(await t.session.prompt("3"), done);
  assert.deepEqual(lines(t.session.state), [
    "system: the summary",
    "user: 2",
    "assistant: b",
    "user: 3",
    "assistant: c",
  ]);
  assert.deepEqual(t.session.state.errors, []);
});

Deno.test("a context that overflows again fails the turn and keeps the summary", async () => {
  const overflow = new ModelError("overflow", "The context is too long");
  await using t = talk(["a", "b", overflow, "the summary", overflow]);
  await t.session.prompt("1");
  await t.session.prompt("2");
  assert.equal((await t.session.prompt("3")).status, "failed");
  assert.deepEqual(failures(t), [["generation", "The context is too long"]]);
  assert.deepEqual(lines(t.session.state), [
    "system: the summary",
    "user: 2",
    "assistant: b",
  ]);
});

Deno.test("an overflowing context that cannot be compacted is one failure that tells both", async () => {
  const overflow = new ModelError("overflow", "The context is too long");
  await using t = talk(["a", "b", overflow, overflow]);
  await t.session.prompt("1");
  await t.session.prompt("2");
  const before = lines(t.session.state);
  assert.equal((await t.session.prompt("3")).status, "failed");
  assert.deepEqual(failures(t), [[
    "generation",
    "The context is too long; compacting failed too: The context is too long",
  ]]);
  assert.deepEqual(lines(t.session.state), before);
});

Deno.test("an overflowing context with nothing to compact fails the turn", async () => {
  const overflow = new ModelError("overflow", "The context is too long");
  await using t = talk([overflow]);
  assert.equal((await t.session.prompt("1")).status, "failed");
  assert.equal(t.model.requests.length, 1);
});

Deno.test("a turn compacts at most once by size, even when that fails", async () => {
  const usage = { input: 9500, output: 5 };
  await using t = talk([
    "a",
    { content: "b", usage },
    "", // the compaction of turn 3 comes back empty
    { ...look("1"), usage },
    { ...look("2"), usage },
    { content: "c", usage },
  ], { window: 10_000 });
  await t.session.prompt("1");
  await t.session.prompt("2");
  assert.deepEqual(await t.session.prompt("3"), done);
  assert.deepEqual(failures(t), [
    [
      "compaction",
      "Cannot compact the conversation: the summary came back empty",
    ],
  ]);
  assert.equal(t.session.state.errors[0]?.question, "3");
});

Deno.test("a steered turn that compacts, then fails, keeps the summary and the turn", async () => {
  const usage = { input: 9500, output: 5 };
  await using t = talk([
    "old answer",
    look("1"),
    async () => {
      await t.session.steer("faster");
      return { ...look("2"), usage };
    },
    "the summary",
    new Error("down"),
  ], { window: 10_000, compaction: { keepTurns: 1 } });
  await t.session.prompt("old question");
  await t.session.prompt("go");
  assert.deepEqual(lines(t.session.state), [
    "system: the summary",
    "user: go",
    "assistant: ",
    "tool look: did 1",
    "user: faster",
    "assistant: ",
    "tool look: did 2",
  ]);
  assert.deepEqual(failures(t), [["generation", "down"]]);
});

Deno.test("a result larger than the window is cut for the model, whole in the record, and compacts nothing", async () => {
  const big = "x".repeat(10_000);
  const bundles = [{
    tools: Object.values(tools(() => Promise.resolve({ content: big }))),
  }];
  await using t = talk(["a", look(), "seen", "b"], {
    bundles,
    window: 1000,
    prompt: "p",
  });
  await t.session.prompt("0");
  await t.session.prompt("1");
  await t.session.prompt("2");
  assert.equal(results(t)[0]?.content, big);
  const sent = t.model.requests[2]?.messages.at(-1)?.content;
  assert.equal(sent!.length < 1300, true);
  assert.match(String(sent), /characters left out/);
  assert.equal(t.model.requests.length, 4);
});

Deno.test("today's system prompt replaces the recorded one in a resumed session", async () => {
  await using t = talk(["a"], { prompt: "Yesterday" });
  await t.session.prompt("1");
  await using today = talk(["b"], { prompt: "Today", store: t.store });
  const resumed = await today.agent.session(t.session.id);
  await resumed!.prompt("2");
  const system = (m: Message) => m.role === "system" ? [m.content] : [];
  const [asked] = today.model.requests[0]!.messages.flatMap(system);
  assert.match(asked!, /^Today/);
  const recorded = resumed!.state.messages.flatMap(system);
  assert.deepEqual(recorded, [asked]);
  assert.equal(resumed!.state.messages[0]?.role, "system");
});

Deno.test("the system prompt is recorded again only when it changed", async () => {
  await using t = talk(["a", "b"]);
  await t.session.prompt("1");
  await t.session.prompt("2");
  const prompts = t.store.log.filter((e) =>
    e.type === "message" && e.message.role === "system"
  );
  assert.equal(prompts.length, 1);
});

Deno.test("context hooks change what the model reads, in order, and never the record", async () => {
  const note = (text: string) => ({
    context: (messages: readonly Message[]) => [
      ...messages,
      { role: "user", id: text, content: text } as const,
    ],
  });
  await using t = talk(["a"], { bundles: [note("one"), {}, note("two")] });
  await t.session.prompt("hi");
  assert.deepEqual(
    t.model.requests[0]?.messages.slice(1).map((m) => m.content),
    ["hi", "one", "two"],
  );
  assert.deepEqual(lines(t.session.state), ["user: hi", "assistant: a"]);
});

Deno.test("a context hook that throws fails the turn", async () => {
  const context = () => Promise.reject(new Error("Cannot recall"));
  await using t = talk(["a"], { bundles: [{ context }] });
  await t.session.prompt("hi");
  assert.deepEqual(failures(t), [["generation", "Cannot recall"]]);
});

Deno.test("prompt() throws when the question cannot be stored, and the next one works", async () => {
  await using t = talk(["a"]);
  t.store.failures.push(new Error("disk full"));
  await assert.rejects(t.session.prompt("lost"), /disk full/);
  assert.equal(t.session.state.seq, 0);
  assert.equal(t.model.requests.length, 0);
  assert.deepEqual(await t.session.prompt("hi"), done);
});

Deno.test("a store that fails in mid-turn and recovers makes a failed turn", async () => {
  await using t = talk([
    () => {
      t.store.failures.push(new Error("disk full"));
      return look();
    },
    "b",
  ]);
  const end = await t.session.prompt("go");
  assert.equal(end.failure?.line, "disk full");
  assert.deepEqual(lines(t.session.state), []);
  assert.deepEqual(await t.store.read(t.session.id), t.session.state);
});

Deno.test("a store that fails after a tool ran keeps the call and does not claim it never ran", async () => {
  const bundles = [{
    tools: Object.values(tools(() => {
      t.store.failures.push(new Error("disk full"));
      return Promise.resolve({ content: "rm done" });
    })),
  }];
  await using t = talk([look()], { bundles });
  await t.session.prompt("go");
  assert.deepEqual(lines(t.session.state), [
    "user: go",
    "assistant: ",
    "tool look: No result was recorded: the turn failed first",
  ]);
});

Deno.test("a store that stays broken makes prompt() throw, and the next prompt settles what it left", async () => {
  await using t = talk([
    () => {
      const full = new Error("disk full");
      t.store.failures.push(full, full);
      return "lost answer";
    },
    "b",
  ]);
  await assert.rejects(t.session.prompt("one"), /disk full/);
  assert.equal(t.session.running, false);
  assert.deepEqual(await t.session.prompt("two"), done);
  assert.deepEqual(lines(t.session.state), ["user: two", "assistant: b"]);
  const [error] = t.session.state.errors;
  assert.equal(error?.raw, "one");
  assert.deepEqual(await t.store.read(t.session.id), t.session.state);
});

Deno.test("usage is told with the window and added up in the record", async () => {
  const usage = { input: 10, output: 2 };
  await using t = talk([{ content: "a", usage }, { content: "b", usage }], {
    window: 1000,
  });
  await t.session.prompt("1");
  await t.session.prompt("2");
  assert.deepEqual(t.updates.find((u) => u.type === "usage"), {
    type: "usage",
    used: 12,
    size: 1000,
  });
  assert.deepEqual(t.session.state.usage, { input: 20, output: 4 });
});

Deno.test("tool servers start with the first turn, once, and a turn can be cancelled while they start", async () => {
  let starts = 0;
  let stuck = true;
  const serve = async (_servers: unknown, signal: AbortSignal) => {
    starts++;
    if (stuck) {
      await new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason))
      );
    }
    return {
      tools: [],
      problems: ["Cannot start x"],
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  };
  await using slow = talk(["a"], { bundles: [{ serve }] });
  const turn = slow.session.prompt("hi");
  await until(() => starts === 1);
  slow.session.cancel();
  assert.equal((await turn).status, "cancelled");
  stuck = false;
  starts = 0;
  await using t = talk(["a", "b"], { bundles: [{ serve }] });
  await t.session.prompt("1");
  await t.session.prompt("2");
  assert.equal(starts, 1);
  assert.equal(
    t.updates.some((u) => u.type === "notice" && u.text === "Cannot start x"),
    true,
  );
});
