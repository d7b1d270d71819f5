import assert from "node:assert/strict";
import { createAgent } from "mm";
import { TempDir } from "./temp_dir.ts";

Deno.test("createAgent() answers by a real tool call and keeps the conversation", async () => {
  await using dir = await TempDir.make();
  const cwd = dir.path;
  await Deno.writeTextFile(`${cwd}/README.md`, "The answer is in here.\n");
  await using agent = await createAgent({ cwd, config: DEMO });
  const session = agent.create();
  const { status } = await session.prompt("read README.md");
  assert.equal(status, "done");
  const roles = session.state.messages.map((m) => m.role);
  assert.deepEqual(roles, ["system", "user", "assistant", "tool", "assistant"]);
  const { items } = await agent.list();
  assert.deepEqual(items.map(({ id, title }) => [id, title]), [
    [session.id, "read README.md"],
  ]);
});

Deno.test("createAgent() reads a conversation that another agent kept", async () => {
  await using dir = await TempDir.make();
  const cwd = dir.path;
  let id: string;
  {
    await using agent = await createAgent({ cwd, config: DEMO });
    const session = agent.create();
    await session.prompt("hello");
    id = session.id;
  }
  await using agent = await createAgent({ cwd, config: DEMO });
  const session = await agent.session(id);
  assert.equal(session?.state.turns, 1);
});

Deno.test("createAgent() throws a ConfigError when its configuration is wrong", async () => {
  const config = { model: { use: "dmeo" } };
  await assert.rejects(createAgent({ cwd: "/", config }), {
    name: "ConfigError",
    message:
      /^Cannot read the configuration: model.use: there is no plugin "dmeo"/,
  });
});

const DEMO = { model: { use: "demo", delay: 0 } };
