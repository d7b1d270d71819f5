import assert from "node:assert/strict";
import { talk, untilAborted } from "./setup.ts";

const titles = "model" as const;

Deno.test("with titles: model, the model names a conversation after its first turn", async () => {
  await using t = talk(["Hello!", 'Title: "A greeting."\nIt greets.'], {
    titles,
  });
  await t.session.prompt("hi there");
  await t.session.idle();
  assert.equal(t.session.state.title, "A greeting");
  assert.equal(t.model.requests[1]?.tools.length, 0);
  assert.equal(t.model.requests.length, 2);
});

Deno.test("a conversation keeps its question as title when the model gives none", async () => {
  await using t = talk(["Hello!", new Error("no")], { titles });
  await t.session.prompt("hi there");
  await t.session.idle();
  assert.equal(t.session.state.title, "hi there");
  assert.equal(t.session.state.errors.length, 0);
});

Deno.test("a title given by the user stays", async () => {
  await using t = talk(["Hello!", "Mine", "Again!"], { titles });
  await t.session.prompt("hi there");
  await t.session.idle();
  await t.session.rename("Ours");
  await t.session.prompt("more");
  await t.session.idle();
  assert.equal(t.session.state.title, "Ours");
  assert.equal(t.model.requests.length, 3);
});

Deno.test("a new conversation is not named after the one before", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await using t = talk([
    "Hello!",
    async () => {
      await promise;
      return "Old name";
    },
  ], { titles });
  await t.session.prompt("hi there");
  await t.session.rotate();
  resolve();
  await t.session.idle();
  assert.equal(t.session.state.title, "");
});

Deno.test("close() does not wait for a title", async () => {
  await using t = talk(["Hello!", untilAborted()], { titles });
  await t.session.prompt("hi there");
  await t.session.close();
  assert.equal(t.session.state.title, "hi there");
});
