import assert from "node:assert/strict";
import { matches } from "../../core/search/match.ts";
import { stateOf } from "./setup.ts";

function said(content: string) {
  return stateOf([
    { type: "opened", cwd: "/", model: "m" },
    { type: "message", message: { role: "user", id: "u", content } },
  ]);
}

Deno.test("matches() shows what it found, also behind letters that are longer in lower case", () => {
  for (const letters of ["x", "İ", "😀", "ﬃ", "ẞ", "e\u0301"]) {
    const text = `${letters.repeat(300)} the Needle is here`;
    const [snippet] = matches(said(text), ["nEEdle"])?.snippets ?? [];
    assert.match(snippet?.text ?? "", /^….* the Needle is here$/u, letters);
  }
});

Deno.test("matches() finds a word in any case", () => {
  const [snippet] = matches(said("Dİ YOK"), ["yok"])?.snippets ?? [];
  assert.equal(snippet?.text, "Dİ YOK");
  assert.equal(matches(said("Dİ YOK"), ["nothing"]), undefined);
});
