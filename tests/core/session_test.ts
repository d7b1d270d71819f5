import assert from "node:assert/strict";
import { date, object, string } from "zod/mini";
import type { ApprovalRequest } from "../../core/approval.ts";
import type { ContentBlock } from "../../core/message.ts";
import type { Update } from "../../core/event.ts";
import type { Schema } from "../../core/plugin.ts";
import { call } from "../scripted_model.ts";
import { heard, lines, stateOf, talk, tools, untilAborted } from "./setup.ts";

const done = { status: "done", reason: "end_turn" };
const cancelledEnd = { status: "cancelled", reason: "cancelled" };

Deno.test("prompt() runs turns one after the other, in order of arrival", async () => {
  await using t = talk(["one", "two", "three"]);
  const ends = await Promise.all(
    ["1", "2", "3"].map((q) => t.session.prompt(q)),
  );
  assert.deepEqual(ends, [done, done, done]);
  assert.deepEqual(lines(t.session.state), [
    "user: 1",
    "assistant: one",
    "user: 2",
    "assistant: two",
    "user: 3",
    "assistant: three",
  ]);
  assert.equal(t.session.state.turns, 3);
  assert.equal(t.session.waiting, 0);
});

Deno.test("prompt() has the question on disk before the model is called", async () => {
  let stored: string[] = [];
  await using t = talk([async () => {
    const state = await t.store.read(t.session.id);
    stored = state ? lines(state) : [];
    return "hello";
  }]);
  await t.session.prompt("hi");
  assert.deepEqual(stored, ["user: hi"]);
});

Deno.test("prompt() writes an answer and the end of its turn at once", async () => {
  await using t = talk(["hello"]);
  await t.session.prompt("hi");
  assert.deepEqual(t.store.appends.map((events) => events.map((e) => e.type)), [
    ["opened", "message", "message"],
    ["message", "settled"],
  ]);
});

Deno.test("prompt() that waits is cancelled by its signal and leaves no trace", async () => {
  const started = Promise.withResolvers<void>();
  await using t = talk([untilAborted(started.resolve), "after"]);
  const first = t.session.prompt("one");
  const waiting = new AbortController();
  const second = t.session.prompt("two", waiting.signal);
  const third = t.session.prompt("three");
  await started.promise;
  assert.equal(t.session.waiting, 2);
  waiting.abort();
  t.session.cancel();
  assert.deepEqual(await Promise.all([first, second, third]), [
    cancelledEnd,
    cancelledEnd,
    done,
  ]);
  assert.deepEqual(lines(t.session.state), ["user: three", "assistant: after"]);
  assert.deepEqual(t.session.state.errors, []);
});

Deno.test("cancel() before the first word withdraws the question and records no error", async () => {
  const started = Promise.withResolvers<void>();
  await using t = talk([untilAborted(started.resolve)]);
  const turn = t.session.prompt("hi");
  await started.promise;
  t.session.cancel();
  assert.deepEqual(await turn, cancelledEnd);
  const { messages, errors, open, turns } = t.session.state;
  assert.deepEqual(messages.map((m) => m.role), ["system"]);
  assert.deepEqual([errors.length, open, turns], [0, undefined, 0]);
  assert.deepEqual(await t.store.read(t.session.id), t.session.state);
});

Deno.test("cancel() in mid-text keeps what was said", async () => {
  await using t = talk(["one two three"]);
  t.session.subscribe((u) => u.type === "text" && t.session.cancel());
  assert.deepEqual(await t.session.prompt("hi"), cancelledEnd);
  assert.deepEqual(lines(t.session.state), ["user: hi", "assistant: one "]);
  const [, , said] = t.session.state.messages;
  assert.equal(said?.role === "assistant" && said.stopReason, "cancelled");
  const delta = t.updates.find((u) => u.type === "text");
  assert.equal(said?.id, delta?.type === "text" && delta.messageId);
  assert.deepEqual(t.session.state.errors, []);
});

Deno.test("cancel() during a tool keeps it as cancelled and closes the calls behind it", async () => {
  const bundles = [{
    tools: Object.values(tools((_text, signal) => {
      t.session.cancel();
      return Promise.reject(signal.reason);
    })),
  }];
  const toolCalls = [
    call("run", { text: "a", scope: "a" }),
    call("look", { text: "b" }),
  ];
  await using t = talk([{ toolCalls }], { bundles, mode: "ask" });
  t.session.subscribe((u) => {
    if (u.type !== "approval_asked") return;
    t.session.decide(u.request.id, { outcome: "allow_once" });
  });
  assert.deepEqual(await t.session.prompt("go"), cancelledEnd);
  const results = t.session.state.messages.filter((m) => m.role === "tool");
  assert.deepEqual(
    results.map((m) => [m.toolCallId, m.status, m.approval, m.title]),
    [
      [toolCalls[0]?.id, "cancelled", "allowed", "Run a"],
      [toolCalls[1]?.id, "cancelled", "auto", undefined],
    ],
  );
  assert.equal(t.session.state.open, undefined);
  assert.equal(t.session.state.turns, 1);
  assert.equal(t.model.requests.length, 1);
  assert.deepEqual(t.session.state.errors, []);
});

Deno.test("cancel() keeps the output a tool returns after the abort", async () => {
  const bundles = [{
    tools: Object.values(tools(() => {
      t.session.cancel();
      return Promise.resolve({ content: "half done" });
    })),
  }];
  await using t = talk(
    [{ toolCalls: [call("look", { text: "a" })] }],
    { bundles },
  );
  await t.session.prompt("go");
  const [, , , result] = t.session.state.messages;
  assert.equal(result?.content, "half done");
  assert.equal(result?.role === "tool" && result.status, "cancelled");
  assert.equal(t.model.requests.length, 1);
});

Deno.test("cancel() during an approval settles it as cancelled and runs nothing", async () => {
  let ran = 0;
  const bundles = [{
    tools: Object.values(tools(() => {
      ran++;
      return Promise.resolve({ content: "" });
    })),
  }];
  await using t = talk(
    [{ toolCalls: [call("run", { text: "rm" })] }],
    { bundles },
  );
  const asked = heard(t.session, "approval_asked");
  const turn = t.session.prompt("go");
  await asked;
  assert.equal(t.session.approvals.length, 1);
  t.session.cancel();
  assert.deepEqual(await turn, cancelledEnd);
  assert.equal(ran, 0);
  assert.deepEqual(t.session.approvals, []);
  const settled = t.updates.find((u) => u.type === "approval_settled");
  assert.equal(
    settled?.type === "approval_settled" && settled.decision.outcome,
    "cancelled",
  );
  const [, , , result] = t.session.state.messages;
  assert.deepEqual(
    result?.role === "tool" && [result.status, result.approval],
    ["cancelled", "denied"],
  );
});

Deno.test("cancel() during a compaction leaves no trace", async () => {
  const started = Promise.withResolvers<void>();
  await using t = talk(["a", "b", untilAborted(started.resolve)]);
  await t.session.prompt("1");
  await t.session.prompt("2");
  const before = t.session.state;
  const compaction = t.session.compact();
  await started.promise;
  t.session.cancel();
  assert.equal(await compaction, "cancelled");
  assert.equal(t.session.state, before);
});

Deno.test("cancel() with nothing running does nothing to the next turn", async () => {
  await using t = talk(["hello"]);
  t.session.cancel();
  assert.deepEqual(await t.session.prompt("hi"), done);
});

Deno.test("steer() in a running turn gets its place on arrival and is answered in that turn", async () => {
  await using t = talk([
    async () => {
      await t.session.steer("and b");
      return { content: "a, ", toolCalls: [call("look", { text: "a" })] };
    },
    "and b",
  ]);
  await t.session.prompt("a?");
  assert.deepEqual(lines(t.session.state), [
    "user: a?",
    "user: and b",
    "assistant: a, ",
    "tool look: did a",
    "assistant: and b",
  ]);
  const [, , steer, answer] = t.session.state.messages;
  assert.equal(answer?.role === "assistant" && answer.saw, steer!.seq - 1);
  assert.equal(t.session.state.turns, 1);
  assert.deepEqual(
    t.model.requests[1]?.messages.map((m) => m.role),
    ["system", "user", "assistant", "tool", "user"],
  );
});

Deno.test("steer() during the last answer has the turn go on", async () => {
  await using t = talk([
    async () => {
      await t.session.steer("also this");
      return "done";
    },
    "this too",
  ]);
  assert.deepEqual(await t.session.prompt("do"), done);
  assert.equal(t.session.state.turns, 1);
  assert.deepEqual(
    t.model.requests[1]?.messages.slice(1).map((m) => m.content),
    ["do", "done", "also this"],
  );
});

Deno.test("steer() at any moment of a turn is answered, in it or in one of its own", async () => {
  for (let pause = 0; pause < 60; pause++) {
    await using t = talk(["one", "two"]);
    const turn = t.session.prompt("first");
    for (let i = 0; i < pause; i++) await Promise.resolve();
    await Promise.all([turn, t.session.steer("second")]);
    const { open, turns, errors, messages } = t.session.state;
    assert.equal(open, undefined, `after ${pause}`);
    assert.equal(errors.length, 0);
    assert.equal(messages.at(-1)?.role, "assistant");
    const read = t.model.requests.at(-1)?.messages.map((m) => m.content);
    assert.equal(read?.includes("second"), true);
    assert.equal(turns === 1 || turns === 2, true);
  }
});

Deno.test("steer() after a cancel becomes a turn of its own", async () => {
  const started = Promise.withResolvers<void>();
  await using t = talk([untilAborted(started.resolve), "answered"]);
  const turn = t.session.prompt("never mind");
  await started.promise;
  t.session.cancel();
  await Promise.all([turn, t.session.steer("this instead")]);
  assert.deepEqual(lines(t.session.state), [
    "user: this instead",
    "assistant: answered",
  ]);
});

Deno.test("steer() with nothing running asks", async () => {
  await using t = talk(["hello"]);
  await t.session.steer("hi");
  assert.deepEqual(lines(t.session.state), ["user: hi", "assistant: hello"]);
});

Deno.test("retry() asks the last failed question whole, all its lines", async () => {
  await using t = talk([new Error("down"), "hello"]);
  await t.session.prompt("line one\nline two");
  assert.deepEqual(lines(t.session.state), []);
  assert.deepEqual(await t.session.retry(), done);
  assert.deepEqual(lines(t.session.state), [
    "user: line one\nline two",
    "assistant: hello",
  ]);
});

Deno.test("retry() asks blocks again as blocks", async () => {
  await using t = talk([new Error("down"), "a cat"]);
  const blocks: ContentBlock[] = [
    { type: "text", text: "what is it?" },
    { type: "image", data: "aGk=", mimeType: "image/png" },
  ];
  await t.session.prompt(blocks);
  await t.session.retry();
  assert.deepEqual(t.session.state.messages[1]?.content, blocks);
});

Deno.test("retry() asks the whole question again when the failed turn was kept for its tools", async () => {
  await using t = talk([
    { toolCalls: [call("look", { text: "a" })] },
    new Error("down"),
    "done",
  ]);
  const question = `${"long ".repeat(60)}\nand more`;
  await t.session.prompt(question);
  assert.deepEqual(await t.session.retry(), done);
  assert.equal(t.session.state.messages.at(-2)?.content, question);
});

Deno.test("retry() asks what was steered into the failed turn too", async () => {
  await using t = talk([
    async () => {
      await t.session.steer("and b");
      return new Error("down");
    },
    "done",
  ]);
  await t.session.prompt("a");
  assert.deepEqual(lines(t.session.state), []);
  await t.session.retry();
  assert.deepEqual(lines(t.session.state), [
    "user: a\n\nand b",
    "assistant: done",
  ]);
});

Deno.test("retry() is undefined when no question failed", async () => {
  await using t = talk(["hello"]);
  await t.session.prompt("hi");
  await t.session.fail({ kind: "resume", question: "", line: "no" });
  assert.equal(t.session.retry(), undefined);
});

Deno.test("rename() gives a title that the next questions keep", async () => {
  await using t = talk(["a", "b"]);
  await t.session.prompt("first question");
  assert.equal(t.session.state.title, "first question");
  await t.session.rename("mine\nnot this");
  await t.session.prompt("second question");
  assert.equal(t.session.state.title, "mine");
});

Deno.test("rotate() frees the held id and archives its record, errors included", async () => {
  await using t = talk([new Error("down"), "old", "new"]);
  const { id } = t.session;
  await t.session.prompt("fails");
  await t.session.prompt("works");
  const old = t.session.state;
  const archived = await t.session.rotate();
  assert.notEqual(archived, undefined);
  assert.equal(t.session.id, id);
  assert.equal(t.session.state.seq, 0);
  assert.deepEqual(t.updates.findLast((u) => u.type === "rotated"), {
    type: "rotated",
    archived,
  });
  await t.session.prompt("fresh");
  assert.deepEqual(await t.agent.read(archived!), old);
  assert.equal(old.errors.length, 1);
  assert.deepEqual(lines(t.session.state), ["user: fresh", "assistant: new"]);
  assert.deepEqual(t.session.state.errors, []);
});

Deno.test("rotate() waits for the running turn", async () => {
  await using t = talk(["a", "b"]);
  const [, archived] = await Promise.all([
    t.session.prompt("1"),
    t.session.rotate(),
    t.session.prompt("2"),
  ]);
  const old = await t.agent.read(archived!);
  assert.deepEqual(old && lines(old), ["user: 1", "assistant: a"]);
  assert.deepEqual(lines(t.session.state), ["user: 2", "assistant: b"]);
});

Deno.test("rotate() is vetoed by a hook that throws, and nothing moves", async () => {
  const beforeRotate = () => {
    throw new Error("Cannot rotate: the memory is still being written");
  };
  await using t = talk(["a"], { bundles: [{}, { beforeRotate }] });
  await t.session.prompt("1");
  const before = t.session.state;
  await assert.rejects(t.session.rotate(), /still being written/);
  assert.equal(t.session.state, before);
  assert.equal(t.session.running, false);
  assert.equal((await t.agent.list()).items.length, 1);
});

Deno.test("rotate() with no conversation resolves to undefined", async () => {
  await using t = talk([]);
  assert.equal(await t.session.rotate(), undefined);
  assert.equal(t.store.appends.length, 0);
});

Deno.test("rotate() forgets what was allowed for the session", async () => {
  const step = { toolCalls: [call("run", { text: "ls", scope: "ls" })] };
  const again = { toolCalls: [call("run", { text: "ls", scope: "ls" })] };
  await using t = talk([step, "a", again, "b"]);
  const asked = answering(t, "allow_always");
  await t.session.prompt("1");
  await t.session.rotate();
  await t.session.prompt("2");
  assert.equal(asked.length, 2);
});

function answering(
  t: ReturnType<typeof talk>,
  outcome: "allow_once" | "allow_always" | "reject" | "cancelled",
  reason?: string,
): ApprovalRequest[] {
  const asked: ApprovalRequest[] = [];
  t.session.subscribe((u: Update) => {
    if (u.type !== "approval_asked") return;
    asked.push(u.request);
    t.session.decide(u.request.id, { outcome, ...(reason && { reason }) });
  });
  return asked;
}

const risky = (text = "ls", scope?: string) => ({
  toolCalls: [call("run", { text, ...(scope && { scope }) })],
});

function results(t: ReturnType<typeof talk>) {
  return t.session.state.messages.flatMap((m) =>
    m.role === "tool" ? [[m.content, m.status, m.approval]] : []
  );
}

Deno.test("decide() settles a question once: the first answer wins", async () => {
  await using t = talk([risky(), "done"]);
  const asked = heard(t.session, "approval_asked");
  const turn = t.session.prompt("go");
  await asked;
  const [request] = t.session.approvals;
  assert.equal(t.session.decide(request!.id, { outcome: "reject" }), true);
  assert.equal(t.session.decide(request!.id, { outcome: "allow_once" }), false);
  await turn;
  assert.deepEqual(results(t), [["Denied by the user", "failed", "denied"]]);
});

Deno.test("decide() with cancelled runs nothing", async () => {
  await using t = talk([risky(), "done"]);
  answering(t, "cancelled");
  await t.session.prompt("go");
  assert.deepEqual(results(t), [
    ["Cancelled by the user", "cancelled", "denied"],
  ]);
});

Deno.test("decide() with a reason tells the model", async () => {
  await using t = talk([risky(), "done"]);
  answering(t, "reject", "use the read tool");
  await t.session.prompt("go");
  assert.deepEqual(results(t), [
    ["Denied: use the read tool", "failed", "denied"],
  ]);
  assert.equal(
    t.model.requests[1]?.messages.at(-1)?.content,
    "Denied: use the read tool",
  );
});

Deno.test("decide() with allow_once asks again the next time", async () => {
  await using t = talk([risky("ls", "ls"), risky("ls", "ls"), "done"]);
  const asked = answering(t, "allow_once");
  await t.session.prompt("go");
  assert.equal(asked.length, 2);
  assert.deepEqual(results(t)[0], ["did ls", "completed", "allowed"]);
});

Deno.test("decide() with allow_always remembers the scope for this session only", async () => {
  await using t = talk([
    risky("ls", "ls"),
    risky("ls -l", "ls"),
    risky("rm", "rm"),
    "done",
    risky("ls", "ls"),
    "done",
  ]);
  const asked = answering(t, "allow_always");
  await t.session.prompt("go");
  assert.deepEqual(asked.map((r) => r.scope), ["ls", "rm"]);
  assert.deepEqual(results(t).map((r) => r[2]), ["allowed", "auto", "allowed"]);

  const other = t.agent.create();
  await other.prompt("go"); // nobody approves there
  const denied = other.state.messages.find((m) => m.role === "tool");
  assert.equal(denied?.role === "tool" && denied.approval, "denied");
});

Deno.test("an approval with nobody there to give it is denied", async () => {
  await using t = talk([risky(), "done"], { approves: false });
  await t.session.prompt("go");
  const [[content, status, approval] = []] = results(t);
  assert.match(content ?? "", /^Denied: nobody is there to approve it/);
  assert.deepEqual([status, approval], ["failed", "denied"]);
});

Deno.test("a mode says which calls run, are asked and are denied", async () => {
  const expected = {
    ask: ["auto", "asked", "asked"],
    edit: ["auto", "auto", "asked"],
    all: ["auto", "auto", "auto"],
    read: ["auto", "denied", "denied"],
    none: ["denied", "denied", "denied"],
  } as const;
  for (const [mode, want] of Object.entries(expected)) {
    const toolCalls = [
      call("look", { text: "a" }),
      call("change", { text: "b" }),
      call("run", { text: "c" }),
    ];
    await using t = talk([{ toolCalls }, "done"], {
      mode: mode as keyof typeof expected,
    });
    answering(t, "allow_once");
    await t.session.prompt("go");
    const got = results(t).map((r) => r[2] === "allowed" ? "asked" : r[2]);
    assert.deepEqual(got, want, mode);
  }
});

Deno.test("mode none offers the model no tool", async () => {
  await using t = talk(["hi"], { mode: "none" });
  await t.session.prompt("go");
  assert.deepEqual(t.model.requests[0]?.tools, []);
});

Deno.test("a mode set in mid-turn governs the next call", async () => {
  const bundles = [{
    tools: Object.values(tools((text) => {
      t.session.settings.mode = "read";
      return Promise.resolve({ content: text });
    })),
  }];
  await using t = talk([risky("a"), risky("b"), "done"], {
    bundles,
    mode: "all",
  });
  await t.session.prompt("go");
  assert.deepEqual(results(t).map((r) => r[2]), ["auto", "denied"]);
});

Deno.test("a mode that denies outweighs what was allowed before", async () => {
  await using t = talk([risky("a", "a"), "done", risky("a", "a"), "done"]);
  answering(t, "allow_always");
  await t.session.prompt("go");
  t.session.settings.mode = "none";
  await t.session.prompt("go");
  assert.deepEqual(results(t).map((r) => r[2]), ["allowed", "denied"]);
});

Deno.test("subscribe() with approves counts a listener once, however often it stops", async () => {
  await using t = talk([risky(), "done"], { approves: false });
  const stop = t.session.subscribe(() => {}, { approves: true });
  const keep = t.session.subscribe(() => {}, { approves: true });
  stop();
  stop();
  const asked = heard(t.session, "approval_asked");
  const turn = t.session.prompt("go");
  await asked;
  t.session.decide(t.session.approvals[0]!.id, { outcome: "allow_once" });
  await turn;
  assert.equal(results(t)[0]?.[2], "allowed");
  keep();
});

Deno.test("fail() records what a facade failed at, with the turns so far", async () => {
  await using t = talk(["a"]);
  await t.session.prompt("1");
  await t.session.fail({ kind: "resume", question: "", line: "Cannot resume" });
  const [error] = t.session.state.errors;
  assert.deepEqual(error && { ...error, at: "" }, {
    at: "",
    kind: "resume",
    turns: 1,
    question: "",
    line: "Cannot resume",
  });
  assert.deepEqual(await t.store.read(t.session.id), t.session.state);
});

Deno.test("close() cancels what runs and what waits, and saves", async () => {
  const started = Promise.withResolvers<void>();
  await using t = talk([untilAborted(started.resolve), "never asked"]);
  const turns = [t.session.prompt("1"), t.session.prompt("2")];
  await started.promise;
  await t.session.close();
  assert.deepEqual(await Promise.all(turns), [cancelledEnd, cancelledEnd]);
  assert.equal(t.model.requests.length, 1);
  assert.equal(t.session.running, false);
});

Deno.test("close() leaves a session that can be asked again", async () => {
  await using t = talk(["a", "b"]);
  await t.session.prompt("1");
  await t.session.close();
  assert.deepEqual(await t.session.prompt("2"), done);
});

Deno.test("running is told when a turn starts and when it ends", async () => {
  await using t = talk(["a"]);
  await t.session.prompt("1");
  assert.deepEqual(
    t.updates.flatMap((u) => u.type === "running" ? [u.running] : []),
    [true, false],
  );
  assert.equal(t.session.running, false);
});

Deno.test("two processes on one session: the second continues under a fresh id, and its agent knows it there", async () => {
  await using t = talk(["a", "mine"]);
  const { id } = t.session;
  await t.session.prompt("1");
  const theirs = stateOf(
    [{ type: "titled", title: "theirs" }],
    t.session.state,
  );
  await t.store.append(id, [{
    type: "titled",
    title: "theirs",
    seq: theirs.seq,
    at: theirs.updatedAt,
  }]);
  assert.deepEqual(await t.session.prompt("2"), done);
  assert.notEqual(t.session.id, id);
  assert.equal(await t.agent.session(t.session.id), t.session);
  assert.equal((await t.store.read(id))?.title, "theirs");
  assert.deepEqual(await t.store.read(t.session.id), t.session.state);
  assert.equal(
    t.updates.some((u) => u.type === "moved" && u.to === t.session.id),
    true,
  );
});

Deno.test("a listener that throws hears nothing more, and the others are told", async () => {
  const thrown: unknown[] = [];
  await using t = talk(["hi"], { broken: (error) => void thrown.push(error) });
  const session = t.agent.create();
  let calls = 0;
  session.subscribe(() => {
    calls++;
    throw new Error("a broken screen");
  }, { approves: true });
  assert.equal(session.watched, true);
  const heard: Update[] = [];
  session.subscribe((update) => void heard.push(update));
  assert.deepEqual(await session.prompt("hello"), done);
  assert.equal(calls, 1);
  assert.deepEqual(thrown.map(String), ["Error: a broken screen"]);
  assert.deepEqual(heard.filter((u) => u.type === "notice"), [{
    type: "notice",
    level: "warning",
    text: "A screen failed and shows no more: a broken screen",
  }]);
  assert.equal(heard[0]?.type, "running"); // what it failed at came to the others
  assert.deepEqual(lines(session.state), ["user: hello", "assistant: hi"]);
});

Deno.test("a listener that threw is none that watches or approves", async () => {
  await using t = talk([{ toolCalls: [call("run", { text: "x" })] }, "ok"]);
  const session = t.agent.create();
  session.subscribe(() => {
    throw new Error("a broken screen");
  }, { approves: true });
  await session.prompt("go");
  assert.match(lines(session.state).join(), /Denied: nobody is there/);
  assert.equal(session.watched, false);
});

Deno.test("a plugin whose servers cannot be started is named, and what did start is kept", async () => {
  let started = 0, stopped = 0;
  const good = {
    serve: () => {
      started++;
      const look = { ...tools().look, name: "peek" };
      return Promise.resolve({
        tools: [look],
        problems: [],
        [Symbol.asyncDispose]: () => Promise.resolve(void stopped++),
      });
    },
  };
  const bad = {
    name: "bad",
    serve: () => {
      throw new Error("no such program");
    },
  };
  const late = { serve: () => Promise.reject(new Error("not in time")) };
  const t = talk(["a", "b"], { bundles: [bad, good, late] });
  assert.deepEqual(await t.session.prompt("1"), done);
  assert.deepEqual(await t.session.prompt("2"), done);
  assert.deepEqual(
    t.updates.flatMap((u) => u.type === "notice" ? [u.text] : []),
    [
      'Cannot start the tool servers of plugin "bad": no such program',
      "Cannot start the tool servers of a plugin: not in time",
    ],
  );
  const offered = t.model.requests.map((r) => r.tools.map((tool) => tool.name));
  assert.deepEqual(offered, [["peek"], ["peek"]]);
  await t.agent[Symbol.asyncDispose]();
  assert.deepEqual([started, stopped], [1, 1]);
});

Deno.test("close() stops the servers it found, and a turn asked meanwhile has its own", async () => {
  const log: string[] = [];
  const stopping = Promise.withResolvers<void>();
  const serve = () => {
    const n = log.push("start");
    return Promise.resolve({
      tools: [],
      problems: [],
      async [Symbol.asyncDispose]() {
        await stopping.promise;
        log.push(`stop ${n}`);
      },
    });
  };
  await using t = talk(["a", "b"], { bundles: [{ serve }] });
  await t.session.prompt("1");
  const closing = t.session.close();
  assert.deepEqual(await t.session.prompt("2"), done);
  stopping.resolve();
  await closing;
  assert.deepEqual(log, ["start", "start", "stop 1"]);
});

Deno.test("close() of a session whose turn only begins starts no servers", async () => {
  let started = 0;
  const serve = () => {
    started++;
    return Promise.reject(new Error("none"));
  };
  await using t = talk(["a"], { bundles: [{ serve }] });
  const turn = t.session.prompt("1");
  await heard(t.session, "running");
  await t.session.close();
  assert.equal((await turn).status, "cancelled");
  assert.equal(started, 0);
});

Deno.test("a context hook that throws fails the turn by its plugin's name", async () => {
  const context = () => {
    throw new Error("cannot remember");
  };
  await using t = talk(["a"], { bundles: [{ name: "memory", context }] });
  const { failure } = await t.session.prompt("1");
  assert.equal(failure?.line, 'Plugin "memory" failed: cannot remember');
});

Deno.test("a tool that no model can be told of is left out and named, and the rest works", async () => {
  const { look } = tools();
  const odd = (name: string, input: Schema) => ({ ...look, name, input });
  const bundle = {
    tools: [
      odd("when", object({ date: date() })),
      odd("text", string()),
      look,
    ],
  };
  await using t = talk(["a", "b"], { bundles: [bundle] });
  assert.deepEqual(await t.session.prompt("1"), done);
  assert.deepEqual(await t.session.prompt("2"), done);
  assert.deepEqual(
    t.updates.flatMap((u) => u.type === "notice" ? [u.text] : []),
    [
      'Cannot offer tool "when": its input has no JSON Schema (Date cannot be represented in JSON Schema)',
      'Cannot offer tool "text": its input is no object',
    ],
  );
  for (const { tools } of t.model.requests) {
    assert.deepEqual(tools.map(({ name }) => name), ["look"]);
  }
});
