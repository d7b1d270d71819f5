import assert from "node:assert/strict";
import fc from "fast-check";
import { empty, fold } from "../../core/fold.ts";
import { fromGist, gistOf, lighten } from "../../core/light.ts";
import { summarize } from "../../core/store.ts";
import { histories } from "../store_suite/histories.ts";
import { anyHistory } from "../store_suite/random.ts";

Deno.test("a light state tells the summary of the whole one, kept and continued in any parts", () => {
  const any = fc.oneof(
    anyHistory,
    fc.constantFrom(...Object.values(histories)),
  );
  fc.assert(
    fc.property(any, fc.nat(25), (events, cut) => {
      const first = lighten(events.slice(0, cut));
      const kept = fromGist(JSON.parse(JSON.stringify(gistOf(first))));
      const light = lighten(events.slice(cut), kept);
      const whole = events.reduce(fold, empty());
      assert.deepEqual(summarize("x", light), summarize("x", whole));
      assert.equal(light.messages.length, 0);
    }),
    { numRuns: 300, seed: 20260916 },
  );
});

Deno.test("fromGist() refuses what is no gist", () => {
  const gist = gistOf(lighten(histories["one turn"]!));
  assert(fromGist(gist));
  const bad = [null, [], { ...gist, seq: -1 }, { ...gist, title: 1 }, {
    ...gist,
    usage: {},
  }];
  for (const value of bad) assert.equal(fromGist(value), undefined);
});
