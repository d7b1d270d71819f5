import { strictEqual as equal } from "node:assert";
import fc from "fast-check";
import {
  oneLine,
  reveal,
  sanitize,
  Sanitizer,
} from "../../../facades/terminal/sanitize.ts";

const cases: Record<string, readonly [string, string]> = {
  "a title": ["a\x1b]0;owned\x07b", "ab"],
  "a title ended by ST": ["a\x1b]0;owned\x1b\\b", "ab"],
  "a cleared screen": ["a\x1b[2J\x1b[Hb", "ab"],
  "colours": ["\x1b[1;31mred\x1b[0m", "red"],
  "a device query": ["a\x1bP+q544e\x1b\\b", "ab"],
  "C1 controls": ["a\x9b2Jb\x9d0;x\x9cc\x85", "abc"],
  "a reset": ["a\x1bcb", "ab"],
  "a charset": ["a\x1b(0b", "ab"],
  "bells and backspaces": ["a\x07\x08\x7fb", "ab"],
  "line ends": ["a\r\nb\rc\n", "a\nb\nc\n"],
  "text that is turned round": ["a\u202eb\u2066c", "abc"],
  "an unclosed title": ["a\x1b]0;rest of line\nnext", "a\nnext"],
  "an unclosed sequence": ["a\x1b[12\nb", "a\nb"],
  "tabs, wide characters and emoji": ["\t你好 👩‍👩‍👧 e\u0301", "\t你好 👩‍👩‍👧 e\u0301"],
};

for (const [what, [raw, safe]] of Object.entries(cases)) {
  Deno.test(`sanitize() deals with ${what}`, () => equal(sanitize(raw), safe));
}

Deno.test("Sanitizer gives the same however the text is cut", () => {
  const piece = fc.constantFrom(
    ..."ab\x1b[]0;mJ\x07\\\x9b\x9d\x9cP\n\r\t^_( 你",
    "🎉",
  );
  fc.assert(fc.property(fc.array(piece), (pieces) => {
    const sanitizer = new Sanitizer();
    const cut = pieces.map((p) => sanitizer.push(p)).join("");
    equal(cut, sanitize(pieces.join("")));
    // deno-lint-ignore no-control-regex -- none may be left
    equal(/[\0-\x08\x0b-\x1f\x7f-\x9f]/.test(cut), false);
  }));
});

Deno.test("oneLine() leaves one line", () => {
  equal(oneLine(" a\n  b\tc\x1b[2J "), "a b c");
});

Deno.test("reveal() shows what a terminal would hide", () => {
  equal(reveal("rm\x1b[8m -rf\u202e"), "rm\\u001b[8m -rf\\u202e");
});
