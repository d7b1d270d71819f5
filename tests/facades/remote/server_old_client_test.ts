import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { call } from "../../scripted_model.ts";
import { serverLab, TOKEN } from "./server_lab.ts";

Deno.test("an old client that passes over what it does not know never errs, and shows each message once", async () => {
  const asks = { content: "Let me. ", toolCalls: [call("run", { text: "x" })] };
  await using lab = await serverLab([asks, "Done.", "Again.", "In short."]);
  const client = await lab.client();
  const session = await client.begin();
  const old = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--quiet",
      fileURLToPath(new URL("old_client.mjs", import.meta.url)),
      lab.url,
      TOKEN,
      session,
    ],
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stderr = new Response(old.stderr).text();
  const lines = old.stdout.pipeThrough(new TextDecoderStream()).getReader();
  assert.equal((await lines.read()).value, "ready\n");
  await client.do({ type: "prompt", session, content: "go" });
  const asked = await client.event((e) => e.type === "approval_asked");
  assert(asked.type === "approval_asked");
  await client.do({ type: "steer", session, content: "and tell me" });
  await client.do({
    type: "approve",
    session,
    request: asked.request.id,
    outcome: "allow_once",
  });
  await client.idle();
  const from = client.told.length;
  await client.do({ type: "prompt", session, content: "more" });
  await client.idle(from);
  await client.do({ type: "command", session, text: "/tools" });
  await client.do({ type: "command", session, text: "/rename Over" });
  let said = "";
  for (;;) {
    const { value, done } = await lines.read();
    if (done) break;
    said += value;
  }
  assert.equal((await old.status).code, 0);
  assert.equal(await stderr, "");
  assert.deepEqual(JSON.parse(said), {
    cleared: 1,
    lines: [
      "user: go",
      "assistant: Let me. ",
      "user: and tell me",
      "assistant: Done.",
      "user: more",
      "assistant: Again.",
    ],
  });
});
