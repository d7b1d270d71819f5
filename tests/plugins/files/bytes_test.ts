import assert from "node:assert/strict";
import { checkTextLength } from "../../../plugins/files/bytes.ts";

Deno.test("checkTextLength() says that a text is longer than a string can be", () => {
  const longest = 2 ** 29 - 24;
  checkTextLength({ length: longest });
  assert.throws(
    () => checkTextLength({ length: longest + 1 }),
    /^RangeError: a text in it is too long \(536870889 bytes/,
  );
});
