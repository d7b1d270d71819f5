import assert from "node:assert/strict";
import fc from "fast-check";
import {
  empty,
  fold,
  isPrompt,
  MAX_ERRORS,
  MAX_TITLE,
  type SessionState,
} from "../../core/fold.ts";
import type { SessionEvent } from "../../core/event.ts";
import {
  answer,
  histories,
  history,
  opened,
  question,
  say,
  time,
} from "../store_suite/histories.ts";
import { anyHistory } from "../store_suite/random.ts";

Deno.test("fold() opens a session with its folder, model and time", () => {
  const state = folded(history([opened("/work", "m")]));
  const at = time(1);
  assert.deepEqual(state, {
    ...empty(),
    seq: 1,
    createdAt: at,
    updatedAt: at,
    cwd: "/work",
    model: "m",
  });
});

Deno.test("fold() keeps a turn open until it is settled or withdrawn", () => {
  const steps = histories["a withdrawn question"]!;
  const open = steps.map((_, i) => folded(steps.slice(0, i + 1)).open);
  assert.deepEqual(open, [
    ...[undefined, undefined, 3, 3, undefined],
    ...[6, undefined, undefined, 9, undefined],
  ]);
});

Deno.test("fold() leaves a turn open at its question when it is steered", () => {
  const state = folded(histories["a steered turn"]!.slice(0, -1));
  assert.equal(state.open, 2);
});

Deno.test("fold() has one system prompt, the latest, and puts it first", () => {
  const state = folded(histories["a settled turn, then a new prompt"]!);
  const prompts = state.messages.filter(isPrompt);
  assert.deepEqual(prompts.map((m) => m.content), ["Be long."]);
  assert.equal(state.messages[0], prompts[0]);
});

Deno.test("fold() withdraws a question and what followed, and keeps the prompt", () => {
  const state = folded(histories["a withdrawn question"]!);
  assert.deepEqual(
    state.messages.map((m) => m.content),
    ["Be brief.", "Hello?", "Hello.", "Again"],
  );
});

Deno.test("fold() puts a summary in the place of what it summarises", () => {
  const state = folded(histories["compacted between turns"]!.slice(0, 9));
  assert.deepEqual(
    state.messages.map((m) => [m.seq, m.content]),
    [[2, "Be brief."], [5, "They counted."], [6, "Two"], [7, "2"]],
  );
  assert.equal(state.turns, 2);
  assert.equal(state.contextTokens, 0);
});

Deno.test("fold() keeps the summary when the running turn is withdrawn", () => {
  const events = histories["compacted in a turn that is then withdrawn"]!;
  assert.deepEqual(
    folded(events).messages.map((m) => m.content),
    ["Be brief.", "They counted."],
  );
});

Deno.test(`fold() keeps the newest ${MAX_ERRORS} errors`, () => {
  const { errors, messages } = folded(histories["250 failures"]!);
  assert.equal(errors.length, MAX_ERRORS);
  assert.equal(errors[0]?.turns, 50);
  assert.equal(errors.at(-1)?.turns, 249);
  assert.deepEqual(messages, []);
});

Deno.test("fold() adds up the tokens and remembers the window", () => {
  const { usage, contextTokens } = folded(
    history([opened(), question("1"), answer("1"), answer("2")]),
  );
  assert.deepEqual(usage, { input: 20, output: 10, cached: 4 });
  assert.equal(contextTokens, 15);
});

Deno.test("fold() takes the title from the first question, or as given", () => {
  const asked = history([
    opened(),
    question("\n  First \n line"),
    question("x"),
  ]);
  assert.equal(folded(asked).title, "First");
  const long = "😀".repeat(200);
  const titled = folded(history([opened(), { type: "titled", title: long }]));
  assert(titled.title.length <= MAX_TITLE);
  assert(titled.title.isWellFormed());
});

Deno.test("fold() restores a whole state and goes on from there", () => {
  const events = histories["restored elsewhere"]!;
  const [first] = events;
  assert(first?.type === "restored");
  assert.deepEqual(fold(empty(), first), { ...first.state, seq: first.seq });
  assert.equal(folded(events).turns, first.state.turns + 1);
});

Deno.test("fold() lets an event of unknown type change only seq and updatedAt", () => {
  const before = folded(histories["one turn"]!);
  const [event] = history([{ type: "unheard_of", payload: 1 }], before.seq);
  const after = fold(before, event!);
  assert.deepEqual(after, { ...before, seq: event!.seq, updatedAt: event!.at });
});

Deno.test("fold() changes no state it was given", () => {
  fc.assert(
    fc.property(anyHistory, (events) => {
      let state = empty();
      for (const event of events) {
        const copy = structuredClone(state);
        const next = fold(state, event);
        assert.deepEqual(state, copy);
        state = next;
      }
    }),
    { numRuns: 50, seed: 20260916 },
  );
});

Deno.test("fold() keeps messages in order of their seq, the prompt aside", () => {
  fc.assert(
    fc.property(anyHistory, (events) => {
      const state = folded(events);
      const places = state.messages.filter((m) => !isPrompt(m)).map((m) =>
        m.seq
      );
      assert.deepEqual(places, [...new Set(places)].toSorted((a, b) => a - b));
      assert(state.messages.filter(isPrompt).length <= 1);
      assert(places.every((seq) => seq <= state.seq));
    }),
    { numRuns: 200, seed: 20260916 },
  );
});

Deno.test("fold() shares the messages it keeps: stores know them again", () => {
  const events = history([opened(), question("1"), answer("1")]);
  const before = folded(events);
  const [next] = history([say({ role: "user", id: "2", content: "2" })], 3);
  const after = fold(before, next!);
  before.messages.forEach((m, i) => assert.equal(after.messages[i], m));
});

function folded(events: readonly SessionEvent[]): SessionState {
  return events.reduce(fold, empty());
}
