import assert from "node:assert/strict";
import fc from "fast-check";
import type { EventDraft, SessionEvent } from "../../core/event.ts";
import { empty, fold, type SessionState } from "../../core/fold.ts";
import { INTERRUPTED, repair } from "../../core/repair.ts";
import { call, ScriptedModel } from "../scripted_model.ts";
import { type Move, moves, steps } from "./histories.ts";
import { lines, stateOf, talk } from "./setup.ts";

const NOW = new Date("2026-09-17T00:00:00Z");

function mended(state: SessionState): SessionState {
  return stateOf(repair(state, NOW), state);
}

function cuts(log: readonly SessionEvent[]): SessionState[] {
  return log.map((_, i) => log.slice(0, i + 1).reduce(fold, empty()));
}

function openCalls({ messages }: SessionState): string[] {
  const done = new Set(
    messages.flatMap((m) => m.role === "tool" ? [m.toolCallId] : []),
  );
  return messages.flatMap((m) =>
    m.role === "assistant" ? m.toolCalls?.map((c) => c.id) ?? [] : []
  ).filter((id) => !done.has(id));
}

Deno.test("repair() of a settled record is nothing", async () => {
  await using t = talk(["a"]);
  await t.session.prompt("1");
  assert.deepEqual(repair(t.session.state, NOW), []);
  assert.deepEqual(repair(empty(), NOW), []);
});

Deno.test("repair() withdraws an unanswered question and keeps it whole in one error", () => {
  const content = "first line\nsecond line";
  const state = mended(stateOf([
    { type: "opened", cwd: "/p", model: "m" },
    { type: "message", message: { role: "user", id: "u", content } },
  ]));
  assert.deepEqual(state.messages, []);
  assert.deepEqual(state.errors.map(({ at: _, ...e }) => e), [{
    kind: "generation",
    turns: 0,
    question: "first line",
    line: INTERRUPTED,
    raw: content,
    prompt: content,
  }]);
});

Deno.test("repair() keeps tools that ran and closes the calls that did not end", () => {
  const toolCalls = [call("look", {}), call("look", {})];
  const drafts: EventDraft[] = [
    { type: "opened", cwd: "/p", model: "m" },
    { type: "message", message: { role: "user", id: "u", content: "go" } },
    {
      type: "message",
      message: { role: "assistant", id: "a", content: "", toolCalls },
    },
    {
      type: "message",
      message: {
        role: "tool",
        id: "t",
        toolCallId: toolCalls[0]!.id,
        name: "look",
        content: "seen",
        status: "completed",
        approval: "allowed",
      },
    },
  ];
  const state = mended(stateOf(drafts));
  assert.deepEqual(
    state.messages.flatMap((m) => m.role === "tool" ? [m.status] : []),
    ["completed", "failed"],
  );
  assert.match(String(state.messages.at(-1)?.content), /may have run in part/);
  assert.equal(state.turns, 1);
  assert.equal(state.errors.length, 1);
  assert.equal(state.errors[0]?.raw, undefined);
});

Deno.test("repair() at every crash point of a conversation loses no settled turn", async () => {
  await using t = talk([
    "a",
    { toolCalls: [call("look", { text: "x" }), call("look", { text: "y" })] },
    async () => {
      await t.session.steer("and z");
      return "b";
    },
    "c",
    new Error("down"),
    "a summary",
    "d",
  ]);
  await t.session.prompt("1");
  await t.session.prompt("2");
  await t.session.prompt("3");
  await t.session.compact();
  await t.session.prompt("4\nmore");

  for (const cut of cuts(t.store.log)) {
    const state = mended(cut);
    const where = `after event ${cut.seq}`;
    assert.equal(state.open, undefined, where);
    assert.deepEqual(openCalls(state), [], where);
    assert.equal(state.turns >= cut.turns, true, where);
    const settled = cut.messages.filter((m) => m.seq < (cut.open ?? Infinity));
    assert.deepEqual(state.messages.slice(0, settled.length), settled, where);
    const errors = state.errors.slice(cut.errors.length);
    assert.equal(errors.length, cut.open === undefined ? 0 : 1, where);
    const question = cut.messages.find((m) => m.seq === cut.open)?.content;
    const [error] = errors;
    if (!error) continue;
    assert.equal(error.kind, "generation");
    const kept = state.messages.some((m) => m.seq === cut.open);
    assert.equal(error.raw?.startsWith(String(question)) ?? false, !kept);
  }
});

Deno.test("repair() of any conversation cut anywhere leaves no open turn and no open call", async () => {
  await fc.assert(
    fc.asyncProperty(moves, async (conversation) => {
      const log = await logOf(conversation);
      for (const cut of cuts(log)) {
        const state = mended(cut);
        assert.equal(state.open, undefined);
        assert.deepEqual(openCalls(state), []);
        assert.deepEqual(mended(state), state);
        const settled = cut.messages.filter((m) =>
          m.seq < (cut.open ?? Infinity)
        );
        assert.deepEqual(state.messages.slice(0, settled.length), settled);
      }
    }),
    { numRuns: 60 },
  );
});

/** The events of a random conversation, as the store was given them. */
async function logOf(
  conversation: readonly Move[],
): Promise<readonly SessionEvent[]> {
  await using t = talk([]);
  const act = {
    steer: () => t.session.steer("also"),
    cancel: () => t.session.cancel(),
  };
  for (const move of conversation) {
    t.session.settings.model = new ScriptedModel(steps(move, act));
    switch (move.type) {
      case "prompt":
        await t.session.prompt("question\nwith two lines");
        break;
      case "compact":
        await t.session.compact();
        break;
      case "rename":
        await t.session.rename("a title");
        break;
    }
    assert.equal(t.session.state.open, undefined);
    assert.deepEqual(openCalls(t.session.state), []);
  }
  const { state } = t.session;
  assert.deepEqual(
    await t.agent.read(t.session.id),
    state.seq ? state : undefined,
  );
  return t.store.log;
}

Deno.test("a crash is repaired on read, and written with the next write", async () => {
  await using t = talk(["never heard"]);
  t.store.failures.push(undefined, new Error("kill"), new Error("kill"));
  await assert.rejects(t.session.prompt("1"));
  const stored = await t.store.read(t.session.id);
  assert.notEqual(stored?.open, undefined);

  await using later = talk(["b"], { store: t.store });
  const seen = await later.agent.read(t.session.id);
  assert.deepEqual(seen && lines(seen), []);
  assert.equal(seen?.errors[0]?.raw, "1");
  const resumed = await later.agent.session(t.session.id);
  assert.equal(resumed?.state.errors.length, 1);
  assert.deepEqual(await t.store.read(t.session.id), stored);

  await resumed!.retry();
  assert.deepEqual(await t.store.read(t.session.id), resumed!.state);
  assert.deepEqual(lines(resumed!.state), ["user: 1", "assistant: b"]);
});
