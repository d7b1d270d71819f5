import assert from "node:assert/strict";
import { errorLine, errorRaw, ModelError } from "../../core/error.ts";
import { MAX_ERRORS } from "../../core/fold.ts";
import { talk } from "./setup.ts";

Deno.test("errorLine() is one line, whatever is thrown", () => {
  assert.equal(errorLine(new Error("a\n  b\r\n\r\nc ")), "a b c");
  assert.equal(errorLine(new TypeError("")), "TypeError");
  assert.equal(errorLine("text"), "text");
  assert.equal(errorLine(undefined), "undefined");
  assert.equal(errorLine(""), "Unknown error");
});

Deno.test("errorRaw() is what an error says beyond its line", () => {
  assert.equal(errorRaw(new Error("a")), undefined);
  assert.equal(
    errorRaw(new ModelError("http", "a", { raw: "<html>" })),
    "<html>",
  );
  assert.match(
    errorRaw(new Error("a", { cause: new Error("deep") })) ?? "",
    /deep/,
  );
  assert.equal(
    errorRaw(new Error("a", { cause: "x".repeat(9000) }))?.length,
    4000,
  );
});

Deno.test("errorLine() and errorRaw() bear what refuses to become text", async () => {
  const mute = Object.create(null);
  const hidden = new Error("hidden");
  Object.defineProperty(hidden, "stack", {
    get: () => {
      throw new Error("no stack");
    },
  });
  assert.equal(errorLine(mute), "Unknown error");
  for (const cause of [mute, hidden, Symbol("x"), ""]) {
    const error = new Error("boom", { cause });
    assert.equal(errorLine(error), "boom");
    assert.match(errorRaw(error) ?? "", /^(?:Symbol\(x\))?$/);
    await using t = talk([error, "b"]);
    assert.equal((await t.session.prompt("1")).failure?.line, "boom");
    assert.equal(t.session.state.open, undefined);
    assert.equal((await t.session.prompt("2")).status, "done");
  }
});

Deno.test("errors keep the newest records up to the cap", async () => {
  await using t = talk(["a"]);
  await t.session.prompt("1");
  for (let i = 0; i < MAX_ERRORS + 5; i++) {
    await t.session.fail({ kind: "resume", question: "", line: `${i}` });
  }
  const { errors } = t.session.state;
  assert.equal(errors.length, MAX_ERRORS);
  assert.deepEqual([errors[0]?.line, errors.at(-1)?.line], ["5", "204"]);
});

Deno.test("errors are never read by the model", async () => {
  await using t = talk([new Error("secret failure"), "b"]);
  await t.session.prompt("1");
  await t.session.fail({ kind: "resume", question: "", line: "secret too" });
  await t.session.prompt("2");
  assert.doesNotMatch(JSON.stringify(t.model.requests), /secret/);
});
