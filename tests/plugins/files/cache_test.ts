import assert from "node:assert/strict";
import { Cache } from "../../../plugins/files/cache.ts";

Deno.test("set() forgets the oldest values past the limit, never the newest", () => {
  const cache = new Cache<string>((text) => text.length, 10);
  cache.set("a", "1234");
  cache.set("b", "1234");
  cache.set("a", "123"); // used again: b is the oldest now
  cache.set("c", "12345");
  assert.deepEqual(kept(cache), ["a", "c"]);
  cache.set("d", "longer than the limit");
  assert.deepEqual(kept(cache), ["d"]);
  cache.set("e", "1");
  assert.deepEqual(kept(cache), ["e"]);
});

Deno.test("delete() makes room for others", () => {
  const cache = new Cache<string>((text) => text.length, 10);
  for (const key of ["a", "b"]) cache.set(key, "12345");
  cache.delete("b");
  cache.delete("b");
  cache.set("c", "12345");
  assert.deepEqual(kept(cache), ["a", "c"]);
});

function kept(cache: Cache<string>): readonly string[] {
  return [..."abcde"].filter((key) => cache.get(key) !== undefined);
}
