import assert from "node:assert/strict";
import { readJson } from "../../../facades/cli/sessions/import/values.ts";

const read = (text: string) => readJson(new TextEncoder().encode(text));

Deno.test("readJson() reads one object, however it is laid out", () => {
  const document = { a: [1, "é"], b: {} };
  for (
    const text of [
      JSON.stringify(document),
      `${JSON.stringify(document)}\n\n`,
      `\ufeff${JSON.stringify(document, null, 2)}\r\n`,
      `\n {"a": [1,\n"é"],\n"b":{}}`,
    ]
  ) assert.deepEqual(read(text), { document, lines: [document] }, text);
});

Deno.test("readJson() reads an object a line, and tells which lines are none", () => {
  assert.deepEqual(
    read(`\ufeff{"n":1}\r\n\r\n  \n{"n":2}\n[3]\nfour\n{"n":5}`),
    {
      document: undefined,
      lines: [{ n: 1 }, { n: 2 }, undefined, undefined, { n: 5 }],
    },
  );
  assert.deepEqual(read("no\n{}"), {
    document: undefined,
    lines: [undefined, {}],
  });
  assert.deepEqual(read("[1]").document, undefined);
  assert.deepEqual(read("").document, undefined);
});
