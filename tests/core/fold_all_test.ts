import assert from "node:assert/strict";
import fc from "fast-check";
import type { SessionEvent } from "../../core/event.ts";
import { empty, fold } from "../../core/fold.ts";
import { foldAll } from "../../core/fold_all.ts";
import {
  answer,
  histories,
  history,
  opened,
  question,
} from "../store_suite/histories.ts";
import { anyHistory } from "../store_suite/random.ts";

Deno.test("foldAll() is events.reduce(fold) for any history, at once or in two parts", () => {
  for (const events of Object.values(histories)) same(events, 1);
  fc.assert(
    fc.property(anyHistory, fc.nat(25), same),
    { numRuns: 300, seed: 20260916 },
  );
});

Deno.test("foldAll() leaves the state it is given as it was", () => {
  const [first, ...rest] = history([opened(), question("a"), answer("b")]);
  const state = foldAll([first!]);
  const copy = structuredClone(state);
  foldAll(rest, state);
  assert.deepEqual(state, copy);
});

function same(events: readonly SessionEvent[], cut: number): void {
  const expected = events.reduce(fold, empty());
  assert.deepEqual(foldAll(events), expected);
  const half = foldAll(events.slice(0, cut));
  assert.deepEqual(foldAll(events.slice(cut), half), expected);
}
