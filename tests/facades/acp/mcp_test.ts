import { type McpServer, methods } from "@agentclientprotocol/sdk";
import assert from "node:assert/strict";
import { checkOptions } from "../../../core/config.ts";
import { plugin } from "../../../plugins/mcp/plugin.ts";
import { fake } from "../../plugins/mcp/lab.ts";
import { call } from "../../scripted_model.ts";
import { type Lab, lab } from "./lab.ts";

const { session } = methods.agent;

/** A server as an editor names it. */
function server(name: string, flags: string[] = []): McpServer {
  const made = fake(name, flags);
  if (made.type !== "stdio") throw new TypeError("No stdio server");
  const { command } = made;
  const args = [...made.args];
  return { name, command, args, env: [{ name: "GREETING", value: "hi" }] };
}

async function mcpLab(steps: Parameters<typeof lab>[0]): Promise<Lab> {
  const bundle = await plugin.open(checkOptions(plugin.options, {}, []), {
    project: Deno.cwd(),
    env: () => undefined,
    version: "0",
    commands: [],
    now: () => new Date(),
  });
  return await lab(steps, { bundles: [bundle as never] });
}

Deno.test("an MCP server of the client is started for its session, and stopped with it", async () => {
  await using t = await mcpLab([
    { toolCalls: [call("mcp__mine__echo", { text: "over MCP" })] },
    "done",
  ]);
  const id = await t.open({ mcpServers: [server("mine")] });
  await t.ask(id, "go");
  const tools = t.model.requests[0]?.tools.map(({ name }) => name);
  assert.ok(tools?.includes("mcp__mine__echo"));
  assert.equal(t.permissions.length, 1);
  const ended = t.of(id).findLast((u) =>
    u.sessionUpdate === "tool_call_update"
  );
  assert.ok(JSON.stringify(ended).includes("over MCP"));
  // Another session does not have it.
  const other = await t.open();
  await t.ask(other, "go").catch(() => {});
  assert.deepEqual(t.model.requests.at(-1)?.tools, []);
  await t.client.request(session.close, { sessionId: id });
});

Deno.test("an MCP server that cannot be started is told, and the session goes on", async () => {
  await using t = await mcpLab(["fine"]);
  const id = await t.open({
    mcpServers: [
      server("broken", ["exit"]),
      { name: "none", command: "/not/there", args: [], env: [] },
      { type: "http", name: "web", url: "http://127.0.0.1:9/x", headers: [] },
    ],
  });
  assert.deepEqual(await t.ask(id, "go"), { stopReason: "end_turn" });
  const told = JSON.stringify(t.of(id));
  for (const name of ["broken", "none", "web"]) {
    assert.ok(told.includes(name), name);
  }
});
