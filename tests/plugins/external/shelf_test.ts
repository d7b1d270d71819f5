import assert from "node:assert/strict";
import { storeSuite } from "../../store_suite.ts";
import { example, openShelf } from "./bundled.ts";

storeSuite("the example store of docs/plugins.md", openShelf);

Deno.test("the example store is shorter than 60 lines", async () => {
  const lines = (await example("shelf")).trimEnd().split("\n");
  assert(lines.length < 60, `it has ${lines.length}`);
});
