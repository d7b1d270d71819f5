import assert from "node:assert/strict";
import fc from "fast-check";
import { boundary, type Compactor } from "../../core/compaction.ts";
import type { EventDraft } from "../../core/event.ts";
import { isPrompt } from "../../core/fold.ts";
import { call, ScriptedModel } from "../scripted_model.ts";
import { moves, steps } from "./histories.ts";
import { lines, stateOf, talk } from "./setup.ts";

async function asked(t: ReturnType<typeof talk>, ...questions: string[]) {
  for (const question of questions) await t.session.prompt(question);
}

Deno.test("compact() replaces the old turns by a summary and keeps the last ones whole", async () => {
  await using t = talk([
    "a",
    { toolCalls: [call("look", { text: "x" })] },
    "b",
    "c",
    "the summary",
  ]);
  await asked(t, "1", "2", "3");
  assert.equal(await t.session.compact("the names"), "compacted");
  assert.deepEqual(lines(t.session.state), [
    "system: the summary",
    "user: 2",
    "assistant: ",
    "tool look: did x",
    "assistant: b",
    "user: 3",
    "assistant: c",
  ]);
  assert.equal(t.session.state.turns, 3);
  const request = t.model.requests.at(-1);
  assert.deepEqual(request?.tools, []);
  const transcript = String(request?.messages[1]?.content);
  assert.match(transcript, /User: 1\n\nAssistant: a\n/);
  assert.doesNotMatch(transcript, /User: 2/);
  assert.match(transcript, /Keep above all: the names/);
  assert.deepEqual(await t.store.read(t.session.id), t.session.state);
});

Deno.test("compact() with fewer turns than it keeps shortens all but the last", async () => {
  await using t = talk(["a", "b", "s"], { compaction: { keepTurns: 5 } });
  await asked(t, "1", "2");
  assert.equal(await t.session.compact(), "compacted");
  assert.deepEqual(lines(t.session.state), [
    "system: s",
    "user: 2",
    "assistant: b",
  ]);
});

Deno.test("compact() of one turn, or none, does nothing and calls no model", async () => {
  await using t = talk(["a"]);
  assert.equal(await t.session.compact(), "nothing");
  await asked(t, "1");
  const before = t.session.state;
  assert.equal(await t.session.compact(), "nothing");
  assert.equal(t.session.state, before);
  assert.equal(t.model.requests.length, 1);
});

Deno.test("a second compact() merges the first summary into the next", async () => {
  await using t = talk(["a", "b", "first", "c", "second"], {
    compaction: { keepTurns: 1 },
  });
  await asked(t, "1", "2");
  await t.session.compact();
  await asked(t, "3");
  await t.session.compact();
  assert.deepEqual(lines(t.session.state), [
    "system: second",
    "user: 3",
    "assistant: c",
  ]);
  assert.match(
    String(t.model.requests.at(-1)?.messages[1]?.content),
    /Summary of what came before: first\n\nUser: 2/,
  );
});

Deno.test("a compaction that fails changes nothing but the trace", async () => {
  for (const step of ["  ", new Error("down")]) {
    await using t = talk(["a", "b", step, "c"]);
    await asked(t, "1", "2");
    const { messages } = t.session.state;
    assert.equal(await t.session.compact(), "failed");
    assert.deepEqual(t.session.state.messages, messages);
    const [error] = t.session.state.errors;
    assert.equal(error?.kind, "compaction");
    assert.equal(error?.turns, 2);
    assert.equal(error?.question, "");
    assert.match(error?.line ?? "", /^Cannot compact the conversation: /);
    assert.equal(t.session.retry(), undefined);
    assert.equal((await t.session.prompt("3")).status, "done");
  }
});

Deno.test("a compaction never touches the errors", async () => {
  await using t = talk([new Error("down"), "a", "b", "s"]);
  await asked(t, "0", "1", "2");
  const { errors } = t.session.state;
  await t.session.compact();
  assert.deepEqual(t.session.state.errors, errors);
  assert.equal(errors.length, 1);
  assert.equal(JSON.stringify(t.model.requests.at(-1)).includes("down"), false);
});

Deno.test("a compactor that would cut into the running turn is held back", async () => {
  const greedy: Compactor = {
    name: "greedy",
    compact: ({ messages }) =>
      Promise.resolve({
        summary: "all",
        keepFrom: (messages.at(-1)?.seq ?? 0) + 1,
      }),
  };
  const usage = { input: 9500, output: 0 };
  await using t = talk(
    [
      "a",
      { toolCalls: [call("look", { text: "x" })], usage },
      "b",
    ],
    { compactor: greedy, window: 10_000 },
  );
  await asked(t, "1", "2");
  assert.deepEqual(lines(t.session.state), [
    "system: all",
    "user: 2",
    "assistant: ",
    "tool look: did x",
    "assistant: b",
  ]);
});

Deno.test("a compactor that says nothing fails", async () => {
  const silent: Compactor = {
    name: "silent",
    compact: () => Promise.resolve({ summary: " ", keepFrom: 4 }),
  };
  await using t = talk(["a"], { compactor: silent });
  await asked(t, "1");
  assert.equal(await t.session.compact(), "failed");
  assert.deepEqual(lines(t.session.state), ["user: 1", "assistant: a"]);
});

Deno.test("boundary() keeps a steered turn that runs whole", () => {
  const state = stateOf([
    message("user"),
    message("assistant"),
    message("user"),
    message("assistant"),
    message("user"),
    message("assistant"),
  ]);
  const { messages } = state;
  assert.equal(boundary({ messages, keepTurns: 1 }), 5);
  assert.equal(boundary({ messages, keepTurns: 1, open: 3 }), 3);
  assert.equal(boundary({ messages, keepTurns: 1, open: 1 }), undefined);
});

function message(role: "user" | "assistant"): EventDraft {
  return { type: "message", message: { role, id: role, content: "x" } };
}

Deno.test("boundary() of any conversation never parts a result from its call", async () => {
  await fc.assert(
    fc.asyncProperty(
      moves,
      fc.integer({ min: 0, max: 4 }),
      async (all, keepTurns) => {
        await using t = talk([]);
        const act = {
          steer: () => t.session.steer("also"),
          cancel: () => t.session.cancel(),
        };
        for (const move of all) {
          t.session.settings.model = new ScriptedModel(steps(move, act));
          if (move.type === "prompt") await t.session.prompt("q");
        }
        const messages = t.session.state.messages.filter((m) => !isPrompt(m));
        const keepFrom = boundary({ messages, keepTurns });
        if (keepFrom === undefined) return;
        const kept = messages.filter((m) => m.seq >= keepFrom);
        assert.equal(kept[0]?.role, "user");
        assert.equal(kept.length < messages.length, true);
        const calls = kept.flatMap((m) =>
          m.role === "assistant" ? m.toolCalls?.map((c) => c.id) ?? [] : []
        );
        const results = kept.flatMap((m) =>
          m.role === "tool" ? [m.toolCallId] : []
        );
        assert.deepEqual(results.toSorted(), calls.toSorted());
      },
    ),
    { numRuns: 60 },
  );
});
