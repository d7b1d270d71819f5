import assert from "node:assert/strict";
import {
  clean,
  oneLine,
  reveal,
  tail,
} from "../../../facades/remote/web/text.ts";

Deno.test("clean takes out what is not meant for eyes", () => {
  assert.equal(clean("a\x1b[31mred\x1b[0m b"), "ared b");
  assert.equal(clean("a\x1b]0;title\x07b\x1b]8;;x\x1b\\c"), "abc");
  assert.equal(clean("one\r\ntwo\rthree\tfour"), "one\ntwo\nthree\tfour");
  assert.equal(clean("gpj\u202excod.exe\u2069\u200f\0\x9b"), "gpjxcod.exe");
  assert.equal(clean("é 日本 😀 عربي"), "é 日本 😀 عربي");
});

Deno.test("oneLine is for titles", () => {
  assert.equal(oneLine(" a\n  b\tc\r\nd "), "a b c d");
});

Deno.test("reveal shows what would be hidden in what is to be approved", () => {
  assert.equal(reveal("rm \u202e x\x1b[2J"), "rm \\u202e x\\u001b[2J");
  assert.equal(reveal("a\r\nb\rc"), "a\nb\\rc");
});

Deno.test("tail keeps the end, from the start of a line on", () => {
  assert.deepEqual(tail("abc", 3), { text: "abc", cut: 0 });
  assert.deepEqual(tail("one\ntwo\nthree", 8), { text: "three", cut: 8 });
  assert.deepEqual(tail("x".repeat(10), 4), { text: "xxxx", cut: 6 });
});
