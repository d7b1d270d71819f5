import assert from "node:assert/strict";
import { exportSession } from "../../core/export_session.ts";
import { call } from "../scripted_model.ts";
import { talk, tools } from "./setup.ts";

const ID = "20260916-101530-4f2a9c1e";
const hostile = '<script>alert("x")</script> & </pre></details>';

async function conversation(content: string) {
  const bundles = [{
    tools: Object.values(tools(() => Promise.resolve({ content }))),
  }];
  await using t = talk(
    [
      { thought: content, toolCalls: [call("look", { text: content })] },
      content,
      new Error("secret failure"),
    ],
    { bundles },
  );
  await t.session.prompt(content);
  await t.session.prompt("fails");
  return t.session.state;
}

Deno.test("exportSession() as Markdown fences what holds fences itself", async () => {
  const content = "```sh\nls\n```\n````\ndeep\n````";
  const text = exportSession(ID, await conversation(content), "md");
  assert.match(text, /^`{5}\n```sh\nls\n```\n````\ndeep\n````\n`{5}$/m);
  assert.match(text, /^### Look .*\(completed\)/m);
  assert.match(text, /^Session 20260916-101530-4f2a9c1e, begun .*, 1 turn, /m);
});

Deno.test("exportSession() as HTML lets nothing of the conversation be markup", async () => {
  const text = exportSession(ID, await conversation(hostile), "html");
  assert.doesNotMatch(text, /<script/);
  assert.equal(text.match(/<\/details>/g)?.length, 1);
  assert.match(text, /&lt;script&gt;alert\(&quot;x&quot;\)/);
  assert.match(text, /<title>&lt;script/);
});

Deno.test("exportSession() as JSON is the whole state; the others show no error", async () => {
  const state = await conversation("hi");
  assert.deepEqual(JSON.parse(exportSession(ID, state, "json")), {
    id: ID,
    ...JSON.parse(JSON.stringify(state)),
  });
  for (const format of ["md", "html"] as const) {
    assert.doesNotMatch(exportSession(ID, state, format), /secret failure/);
  }
});
