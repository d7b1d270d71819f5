import assert from "node:assert/strict";
import { join } from "node:path";
import { Child } from "../acp/child.ts";
import { MmServe } from "../remote/mm_serve.ts";
import { HELD, HOSTILE, ran, RUNS } from "./clone.ts";
import { Project } from "./project.ts";

// Until the question that nobody answers; then it is denied by leaving.
async function ask(
  child: Child,
  cwd: string,
): Promise<Record<string, unknown>> {
  const { sessionId, modes } = await child.ask("session/new", {
    cwd,
    mcpServers: [],
  });
  await child.send("session/prompt", {
    sessionId,
    prompt: [{ type: "text", text: RUNS }],
  });
  const { id } = await child.until((m) =>
    m.method === "session/request_permission" &&
    (m.params as { sessionId: string }).sessionId === sessionId
  );
  await child.write({
    jsonrpc: "2.0",
    id,
    result: { outcome: { outcome: "cancelled" } },
  });
  return modes as Record<string, unknown>;
}

Deno.test("mm acp in cloned projects runs nothing of them, and tells it in each session", async () => {
  await using project = await Project.make({
    "a/agent.yaml": HOSTILE,
    "b/agent.yaml": HOSTILE,
  });
  const [a, b] = [project.path("a"), project.path("b")];
  await using child = await Child.start(a);
  for (const cwd of [a, b]) {
    const modes = await ask(child, cwd);
    assert.equal(modes.currentModeId, "ask");
    assert.deepEqual(await ran(cwd), []);
  }
  assert.equal(await child.left(), 0);
  const told = [
    ...child.updates("notice"),
    ...child.updates("agent_thought_chunk"),
  ].filter((update) => JSON.stringify(update).includes("You have not trusted"));
  assert.equal(told.length, 2);
  assert.ok(JSON.stringify(told[0]).includes(HELD));
  assert.ok((await child.stderr).includes(HELD));
  for (const cwd of [a, b]) assert.deepEqual(await ran(cwd), []);
});

Deno.test("mm acp starts the servers its client brings into a cloned project", async () => {
  await using project = await Project.make({ "agent.yaml": HOSTILE });
  const cwd = project.dir;
  await using child = await Child.start(cwd);
  const { sessionId } = await child.ask("session/new", {
    cwd,
    mcpServers: [
      {
        name: "mine",
        command: "touch",
        args: [join(cwd, "ran-mine")],
        env: [],
      },
    ],
  });
  const prompt = [{ type: "text", text: "hello" }];
  await child.ask("session/prompt", { sessionId, prompt });
  assert.deepEqual(await ran(project), ["ran-mine"]);
});

Deno.test("mm serve in a cloned project runs nothing of it, and tells it in each session", async () => {
  await using project = await Project.make({ "agent.yaml": HOSTILE });
  await using served = await MmServe.start(project.dir);
  const client = await served.client();
  const session = await client.begin();
  await client.do({ type: "prompt", session, content: RUNS });
  const notice = await client.event((e) => e.type === "notice");
  assert.equal((notice as { text: string }).text, HELD);
  await client.event((e) => e.type === "approval_asked");
  assert.deepEqual(await ran(project), []);
  await served.end("SIGTERM");
  assert.ok((await served.stderr).includes(HELD));
  assert.deepEqual(await ran(project), []);
});
