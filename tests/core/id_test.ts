import assert from "node:assert/strict";
import { assertId, isId, newId, randomHex } from "../../core/id.ts";
import { nearest } from "../../core/nearest.ts";

Deno.test("newId() is the time in UTC and random digits, and sorts by time", () => {
  const id = newId(new Date("2026-09-16T10:15:30.999Z"), () => "4f2a9c1e");
  assert.equal(id, "20260916-101530-4f2a9c1e");
  assert.equal(isId(newId()), true);
  assert.equal(newId(new Date("2026-09-16T10:15:31Z")) > id, true);
  for (const odd of [NaN, -1e14, 1.8e15]) {
    assert.match(newId(new Date(odd)), /^19700101-000000-/);
  }
});

Deno.test("assertId() throws on anything else, quoting no more than a part of it", () => {
  assertId("20260916-101530-4f2a9c1e");
  assert.throws(
    () => assertId("../" + "x".repeat(1000)),
    (error: Error) =>
      error.message.length < 200 && /"\.\.\//.test(error.message),
  );
});

Deno.test("randomHex() gives so many digits", () => {
  for (const n of [0, 1, 7, 12]) {
    assert.match(randomHex(n), new RegExp(`^[0-9a-f]{${n}}$`));
  }
});

Deno.test("nearest() finds a slip and nothing far-fetched", () => {
  const known = ["sessions", "resume", "retry"];
  assert.equal(nearest("sesions", known), "sessions");
  assert.equal(nearest("re", known), "retry");
  assert.equal(nearest("resumé", known), "resume");
  assert.equal(nearest("quit", known), undefined);
  assert.equal(nearest("x", []), undefined);
});
