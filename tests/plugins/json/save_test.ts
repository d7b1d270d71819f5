import assert from "node:assert/strict";
import { empty } from "../../../core/fold.ts";
import { load } from "../../../plugins/json/load.ts";
import { save } from "../../../plugins/json/save.ts";
import { sessionId } from "../../store_suite/histories.ts";
import { JsonLab } from "./lab.ts";

const id = sessionId(1);

Deno.test("save() gives the stamp by which load() knows the file again", async () => {
  await using lab = await JsonLab.create();
  const path = await lab.put(id, "old");
  for (const sizes of [[1], [300, 5_000_000, 1], [4096], [5_000_000, 2]]) {
    const parts = sizes.map((size) => new Uint8Array(size).fill(65));
    const stamp = await save(path, parts);
    const known = { state: empty(), stamp };
    assert.equal(await load({ path, id, keep: () => {} }, known), known);
    assert.deepEqual(
      await Deno.readFile(path),
      new Uint8Array(sizes.reduce((a, b) => a + b)).fill(65),
    );
  }
});
