import assert from "node:assert/strict";
import fc from "fast-check";
import { toolName } from "../../../plugins/mcp/names.ts";

Deno.test("toolName() joins what the APIs of models take", () => {
  assert.equal(toolName("github", "create_issue"), "mcp__github__create_issue");
  assert.equal(toolName("a-b_c", "x__y"), "mcp__a-b_c__x__y");
});

Deno.test("toolName() cuts what is too long and cleans what is hostile", () => {
  const names = [
    toolName("My Server", "create issue"),
    toolName("a".repeat(100), "b".repeat(100)),
    toolName("\x1b[31m", "../../etc"),
    toolName("", "x"),
    toolName("é", "ü"),
  ];
  for (const name of names) {
    assert.match(name, /^mcp__[a-zA-Z0-9_-]{1,59}$/);
  }
  assert.equal(new Set(names).size, names.length);
});

Deno.test("toolName() never gives two tools one name", () => {
  const part = fc.string({ unit: fc.constantFrom("a", "_", " ", "é", "-") });
  const pair = fc.tuple(part, part);
  fc.assert(fc.property(pair, pair, (one, two) => {
    const same = one[0] === two[0] && one[1] === two[1];
    return same === (toolName(...one) === toolName(...two));
  }));
  assert.notEqual(toolName("a", "b__c"), toolName("a__b", "c"));
});
