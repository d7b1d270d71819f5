import assert from "node:assert/strict";
import fc from "fast-check";
import { eventProblem } from "../../core/check_event.ts";
import { histories, history, opened } from "../store_suite/histories.ts";
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
  const cases: readonly (readonly [unknown, string])[] = [
    [null, "expected object, received null"],
    [[], "expected object, received array"],
    [{ ...event, seq: "1" }, "seq: expected number, received string"],
    [{ ...event, type: undefined }, "type: expected string"],
    [{ ...event, cwd: 7 }, "cwd: expected string, received number"],
    [{ ...at, type: "message" }, "message: expected object"],
    [
      { ...at, type: "message", message: { role: "robot" } },
      `message.role: expected one of "system", "user", "assistant", "tool"`,
    ],
    [
      { ...at, type: "message", message: { ...user, content: 1 } },
      "message.content: expected string, received number, or expected array, received number",
    ],
    [{ ...at, type: "withdrawn" }, "from: expected number"],
    [
      { ...at, type: "restored", state: { seq: 1 } },
      "state.createdAt: expected string",
    ],
  ];
  for (const [value, said] of cases) assert.equal(eventProblem(value), said);
  const odd = { ...at, type: "toString", payload: 1 };
  assert.equal(eventProblem(odd), undefined);
});
