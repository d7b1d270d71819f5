import { decode, encode } from "@jridgewell/sourcemap-codec";
import assert from "node:assert/strict";
import { slimMap } from "../../scripts/compile/slim_map.ts";

const MAP = {
  version: 3,
  sources: ["../npm/zod/a.js", "../core/a.ts", "../npm/yaml/b.js"],
  sourcesContent: ["a", "b", "c"],
  names: ["x"],
  mappings: encode([
    [
      [0, 0, 5, 1, 0],
      [10, 1, 3, 2],
      [14, 1, 3, 9, 0], // the same line
      [20, 1, 4, 0],
      [30, 2, 7, 0],
      [40, 2, 8, 0],
      [50, 1, 4, 6],
    ],
    [],
    [[0, 1, 9, 0]],
  ]),
};

Deno.test("slimMap() keeps the places where another line of our own sources begins or ends", () => {
  const slim = slimMap(MAP, (source) => source.startsWith("../core/"));
  const { mappings, ...rest } = slim;
  assert.deepEqual(rest, {
    version: 3,
    sources: ["../core/a.ts"],
    names: [],
  });
  assert.deepEqual(decode(mappings), [
    [[10, 0, 3, 2], [20, 0, 4, 0], [30], [50, 0, 4, 6]],
    [],
    [[0, 0, 9, 0]],
  ]);
});
