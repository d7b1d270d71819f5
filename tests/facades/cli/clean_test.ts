import assert from "node:assert/strict";
import { clean } from "../../../facades/cli/clean.ts";

Deno.test("clean() leaves text, and nothing that steers a terminal", () => {
  assert.equal(clean("né\t中🎉\r\nnext\rlast"), "né\t中🎉\nnext\nlast");
  assert.equal(
    clean("a\x1b[2Jb\x1b]0;x\x07c\0\x9bd\u202ee\u2066f"),
    "ab]0;xcdef",
  );
});
