import assert from "node:assert/strict";
import { toolResult } from "../../../plugins/mcp/result.ts";

Deno.test("toolResult() joins text, keeps embedded text and describes the rest", () => {
  const answer = {
    content: [
      { type: "text", text: "one" },
      { type: "image", mimeType: "image/png", data: btoa("x".repeat(3000)) },
      { type: "audio", mimeType: "audio/wav", data: btoa("abc") },
      { type: "resource", resource: { uri: "file:///a", text: "inside" } },
      { type: "resource", resource: { uri: "file:///b", blob: btoa("abcd") } },
      {
        type: "resource_link",
        uri: "https://x",
        name: "X",
        description: "an x",
      },
      { type: "hologram" },
    ],
  };
  assert.deepEqual(toolResult(answer), {
    content: [
      "one",
      "[image image/png, 3 kB]",
      "[audio audio/wav, 3 B]",
      "[resource file:///a]\ninside",
      "[resource file:///b, binary, 4 B]",
      "[X](https://x): an x",
      "[hologram]",
    ].join("\n"),
  });
});

Deno.test("toolResult() marks a tool's own error as failed", () => {
  const content = [{ type: "text", text: "no such issue" }];
  assert.deepEqual(toolResult({ content, isError: true }), {
    content: "no such issue",
    failed: true,
  });
});

Deno.test("toolResult() shows structured content when there is no text", () => {
  const structuredContent = { n: 1 };
  assert.equal(
    toolResult({ content: [], structuredContent }).content,
    '{"n":1}',
  );
  const content = [{ type: "text", text: "one" }];
  assert.equal(toolResult({ content, structuredContent }).content, "one");
});

Deno.test("toolResult() survives answers that are none", () => {
  for (const answer of [{}, null, { content: 7 }, { content: [null, 7] }]) {
    assert.match(toolResult(answer).content, /^(\(no output\)|\[unknown)/);
  }
});
