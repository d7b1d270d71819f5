import assert from "node:assert/strict";
import fc from "fast-check";
import { type Bounds, Ring } from "../../core/ring.ts";
import { weigh } from "../../core/weigh.ts";

const MANY = { events: 1e9, bytes: 1e9 };

Deno.test("Ring keeps the first item and the newest ones within both bounds", () => {
  for (const bounds of [{ ...MANY, events: 5 }, { ...MANY, bytes: 5 * 6 }]) {
    const dropped: number[] = [];
    const ring = new Ring<number>(bounds, {
      dropped: (item) => dropped.push(item),
    });
    for (let n = 1; n <= 100; n++) assert.equal(ring.push(n), n);
    assert.deepEqual(
      ring.slice().items.map(({ item }) => item),
      [1, 96, 97, 98, 99, 100],
    );
    assert.deepEqual(dropped, Array.from({ length: 94 }, (_, n) => n + 2));
    assert.equal(ring.size, 5);
    assert.equal(ring.bytes, 30);
    assert(ring.truncated);
  }
});

Deno.test("Ring never drops the first item, however heavy", () => {
  const ring = new Ring<string>({ events: 1, bytes: 10 });
  ring.push("x".repeat(1000));
  assert(!ring.truncated);
  ring.push("y".repeat(1000)); // heavier than all there may be
  assert.deepEqual(ring.slice().items.map((p) => p.position), [1]);
  assert(ring.truncated && ring.slice().truncated);
  assert.equal(ring.bytes, 0);
});

Deno.test("slice() gives what came after, and says when something between is missing", () => {
  const ring = new Ring<number>({ ...MANY, events: 3 });
  assert.deepEqual(ring.slice(), {
    epoch: ring.epoch,
    items: [],
    truncated: false,
    last: 0,
  });
  for (let n = 1; n <= 10; n++) ring.push(n);
  const positions = (since: number) =>
    ring.slice(since).items.map((p) => p.position);
  assert.deepEqual(positions(0), [1, 8, 9, 10]);
  assert.deepEqual(positions(1), [8, 9, 10]);
  assert.deepEqual(positions(8), [9, 10]);
  assert.deepEqual(positions(10), []);
  assert.deepEqual(positions(99), []);
  assert.equal(ring.slice(6).truncated, true);
  assert.equal(ring.slice(7).truncated, false);
  assert.notEqual(new Ring(MANY).epoch, ring.epoch);
});

Deno.test("Ring is what a list with the same rules is, for any pushes", () => {
  const pushes = fc.array(fc.tuple(fc.string(), fc.boolean()));
  const bounds = fc.record({
    events: fc.integer({ min: 1, max: 8 }),
    bytes: fc.integer({ min: 1, max: 100 }),
  });
  fc.assert(
    fc.property(pushes, bounds, fc.nat(20), (all, limits, since) => {
      const ring = new Ring<string>(limits);
      for (const [item, passing] of all) ring.push(item, passing);
      assert.deepEqual(
        ring.slice(since).items,
        listed(all, limits).filter((p) => p.position > since),
      );
    }),
    { numRuns: 500, seed: 20260916 },
  );
});

Deno.test("a push looks at one item, after a million others too, and memory stays bounded", () => {
  let looks = 0;
  const look = () => ++looks && 1;
  const ring = new Ring<string>({ ...MANY, events: 1000 }, {
    weigh: look,
    dropped: look,
  });
  for (let n = 0; n < 1_000_000; n++) ring.push("hello");
  assert.equal(ring.size, 1000);
  assert.equal(ring.bytes, 1000);
  // Each is weighed once, but the first; each but those that are left is dropped.
  assert.equal(looks, 999_999 + 998_999);
});

Deno.test("weigh() is near the length of the JSON", () => {
  const json = fc.json({ maxDepth: 4 }).map((text) => JSON.parse(text));
  fc.assert(
    fc.property(json, (value) => {
      const { length } = JSON.stringify(value);
      assert(
        weigh(value) <= 6 * length + 6 && weigh(value) * 12 >= length - 20,
      );
    }),
    { numRuns: 500, seed: 20260916 },
  );
});

// The same, as simply as it can be said.
function listed(
  all: readonly (readonly [string, boolean])[],
  { events, bytes }: Bounds,
): readonly { position: number; item: string }[] {
  let held: { position: number; item: string; passing: boolean }[] = [];
  for (const [i, [item, passing]] of all.entries()) {
    held.push({ position: i + 1, item, passing });
    const [first, ...rest] = held;
    while (
      rest.length > events ||
      rest.reduce((sum, h) => sum + weigh(h.item), 0) > bytes
    ) {
      const at = Math.max(0, rest.findIndex((h) => h.passing));
      rest.splice(at, 1);
    }
    held = [first!, ...rest];
  }
  return held.map(({ position, item }) => ({ position, item }));
}
