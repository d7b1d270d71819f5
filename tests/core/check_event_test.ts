import assert from "node:assert/strict";
import fc from "fast-check";
import { eventProblem } from "../../core/check_event.ts";
import { empty, fold } from "../../core/fold.ts";
import {
  histories,
  history,
  opened,
  question,
} from "../store_suite/histories.ts";
import { anyHistory } from "../store_suite/random.ts";

Deno.test("eventProblem() finds nothing wrong with what core records", () => {
  for (const event of Object.values(histories).flat()) {
    assert.equal(eventProblem(event), undefined);
  }
  fc.assert(
    fc.property(anyHistory, (events) => {
      for (const event of events) assert.equal(eventProblem(event), undefined);
    }),
    { numRuns: 100, seed: 20260916 },
  );
});

Deno.test("eventProblem() says what is wrong, and where", () => {
  const [event] = history([opened()]);
  const at = { seq: 1, at: "2026" };
  const user = { role: "user", id: "u" };
  const state = history([opened(), question("One")]).reduce(fold, empty());
  const stored = state.messages[0];
  const restored = (change: object) => ({
    ...at,
    type: "restored",
    state: { ...state, ...change },
  });
  const cases: readonly (readonly [unknown, string])[] = [
    [null, "it is not an object"],
    [[], "it is not an object"],
    [{ ...event, seq: "1" }, '"seq" is not a whole number'],
    [{ ...event, at: "é" }, '"at" is not a time'],
    [{ ...event, type: undefined }, '"type" is not text'],
    [{ ...event, cwd: 7 }, '"cwd" is not text'],
    [{ ...at, type: "message" }, "its message: it is not an object"],
    [
      { ...at, type: "message", message: { ...user, role: "robot" } },
      'its message: "role" is not one of system, user, assistant, tool',
    ],
    [
      { ...at, type: "message", message: { ...user, content: 1 } },
      'its message: "content" is neither text nor a list of blocks',
    ],
    [{ ...at, type: "withdrawn" }, '"from" is not a number'],
    [{ ...at, type: "failed", kind: "generation" }, '"question" is not text'],
    [restored({ title: 1 }), 'its state: "title" is not text'],
    [restored({ messages: {} }), 'its state: "messages" is not a list'],
    [
      restored({ messages: [{ ...stored, content: undefined }] }),
      'its state: message 1: "content" is neither text nor a list of blocks',
    ],
    [
      restored({ messages: [stored, stored] }),
      "its state: message 2 comes after message 2",
    ],
    [restored({ errors: [{}] }), 'its state: error 1: "at" is not text'],
  ];
  for (const [value, said] of cases) assert.equal(eventProblem(value), said);
  const odd = { ...at, type: "toString", payload: 1 };
  assert.equal(eventProblem(odd), undefined);
});
