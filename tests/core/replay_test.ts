import assert from "node:assert/strict";
import type { EventDraft } from "../../core/event.ts";
import { replay } from "../../core/replay.ts";
import { call } from "../scripted_model.ts";
import { heard, stateOf, talk, tools } from "./setup.ts";

Deno.test("replay() yields the conversation in order, each call once and finished", async () => {
  await using t = talk([
    {
      content: "let me see",
      thought: "hm",
      toolCalls: [call("look", { text: "x" }), call("lok", {})],
    },
    "done",
  ]);
  await t.session.prompt("go");
  const items = [...replay(t.session.state)];
  assert.deepEqual(
    items.map((i) => i.type),
    ["user", "thought", "assistant", "tool", "tool", "assistant"],
  );
  assert.deepEqual(
    items.flatMap((i) =>
      i.type === "tool" ? [[i.call.name, i.result.status]] : []
    ),
    [["look", "completed"], ["lok", "failed"]],
  );
});

Deno.test("replay() never executes", async () => {
  let ran = 0;
  const bundles = [{
    tools: Object.values(tools(() => {
      ran++;
      return Promise.resolve({ content: "rm: done" });
    })),
  }];
  await using t = talk(
    [{ toolCalls: [call("run", { text: "rm" })] }, "gone"],
    { bundles, mode: "all" },
  );
  await t.session.prompt("rm it");
  await using later = talk([], { bundles, mode: "all", store: t.store });
  const resumed = await later.agent.session(t.session.id);
  assert.equal([...replay(resumed!.state)].length, 3);
  assert.equal(ran, 1);
  assert.equal(later.model.requests.length, 0);
});

Deno.test("replay() is the same each time and changes nothing", async () => {
  await using t = talk(["a", "b", "s"]);
  await t.session.prompt("1");
  await t.session.prompt("2");
  await t.session.compact();
  const before = structuredClone(t.session.state);
  const once = [...replay(t.session.state)];
  assert.deepEqual([...replay(t.session.state)], once);
  assert.deepEqual(t.session.state, before);
  assert.deepEqual(once.map((i) => i.type), ["summary", "user", "assistant"]);
});

Deno.test("replay() says what a bounded store forgot and shows a result without its call", () => {
  const orphan: EventDraft = {
    type: "message",
    message: {
      role: "tool",
      id: "t",
      toolCallId: "gone",
      name: "look",
      content: "did",
      status: "completed",
      approval: "denied",
    },
  };
  const state = { ...stateOf([orphan]), truncated: true };
  const [omitted, tool] = [...replay(state)];
  assert.equal(omitted?.type, "omitted");
  assert.deepEqual(tool?.type === "tool" && tool.call, {
    id: "gone",
    name: "look",
    arguments: {},
  });
});

Deno.test("replay() never shows an error or the system prompt", async () => {
  await using t = talk(["a", new Error("secret failure")], {
    prompt: "secret prompt",
  });
  await t.session.prompt("1");
  await t.session.prompt("2");
  assert.doesNotMatch(JSON.stringify([...replay(t.session.state)]), /secret/);
  assert.equal(t.session.state.errors.length, 1);
});

Deno.test("replay() of a running turn leaves out the call that still runs", async () => {
  await using t = talk([{ toolCalls: [call("run", { text: "x" })] }, "done"]);
  const asked = heard(t.session, "approval_asked");
  const turn = t.session.prompt("go");
  await asked;
  const types = () => [...replay(t.session.state)].map((i) => i.type);
  assert.deepEqual(types(), ["user"]);
  t.session.decide(t.session.approvals[0]!.id, { outcome: "allow_once" });
  await turn;
  assert.deepEqual(types(), ["user", "tool", "assistant"]);
});

Deno.test("replay() shows a settled approval as allowed or denied, never as pending", async () => {
  const step = () => ({ toolCalls: [call("run", { text: "x" })] });
  await using t = talk([step(), step(), "done"]);
  const outcomes = ["allow_once", "reject"] as const;
  let i = 0;
  t.session.subscribe((u) => {
    if (u.type !== "approval_asked") return;
    t.session.decide(u.request.id, { outcome: outcomes[i++] ?? "reject" });
  });
  await t.session.prompt("go");
  assert.deepEqual(
    [...replay(t.session.state)].flatMap((item) =>
      item.type === "tool" ? [item.result.approval] : []
    ),
    ["allowed", "denied"],
  );
});
