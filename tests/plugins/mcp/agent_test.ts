import assert from "node:assert/strict";
import { Agent } from "../../../core/agent.ts";
import type { Update } from "../../../core/event.ts";
import type { Bundle } from "../../../core/plugin.ts";
import { checkOptions } from "../../../core/config.ts";
import { plugin } from "../../../plugins/mcp/plugin.ts";
import { marked } from "../../marked.ts";
import { call, ScriptedModel } from "../../scripted_model.ts";
import { fake } from "./lab.ts";

async function open(): Promise<Bundle> {
  if (plugin.kind !== "plugin") throw new TypeError("No bundle");
  return await plugin.open(checkOptions(plugin.options, {}, []), {
    project: Deno.cwd(),
    env: () => undefined,
    version: "0",
    commands: [],
    now: () => new Date(),
  });
}

Deno.test("an agent offers a session's MCP tools, asks, runs and ends them", async () => {
  const marker = crypto.randomUUID();
  const model = new ScriptedModel([
    { toolCalls: [call("mcp__f__echo", { text: "one" })] },
    { toolCalls: [call("mcp__f__echo", { text: "two" })] },
    "Done.",
  ]);
  const updates: Update[] = [];
  {
    await using agent = new Agent({
      cwd: Deno.cwd(),
      model,
      bundles: [await open()],
    });
    const servers = [fake("f", [], { MM_TEST: marker }), fake("g", ["exit"])];
    const session = agent.create({ servers });
    session.subscribe((update) => {
      updates.push(update);
      if (update.type !== "approval_asked") return;
      session.decide(update.request.id, { outcome: "allow_always" });
    }, { approves: true });
    const end = await session.prompt("Say it");
    assert.equal(end.status, "done");
    const results = session.state.messages.filter((m) => m.role === "tool");
    assert.deepEqual(results.map((m) => [m.content, m.status, m.approval]), [
      ['{"text":"one"}', "completed", "allowed"],
      ['{"text":"two"}', "completed", "auto"],
    ]);
  }
  assert.ok(model.requests[0]?.tools.some((t) => t.name === "mcp__f__echo"));
  assert.deepEqual(
    updates.flatMap((u) => u.type === "notice" ? [u.text] : []),
    ['Cannot use MCP server "g": it exited with code 3; stderr: fake: no licence'],
  );
  if (Deno.build.os === "linux") assert.deepEqual(marked(marker), []);
});

Deno.test("an agent without servers does without the MCP SDK", async () => {
  const bundle = await open();
  const served = await bundle.serve!(
    { servers: [], cwd: "/" },
    new AbortController().signal,
  );
  assert.deepEqual([served.tools, served.problems], [[], []]);
  await served[Symbol.asyncDispose]();
});
