import assert from "node:assert/strict";
import { checkOptions } from "../../../core/config.ts";
import type { ToolServer } from "../../../core/server.ts";
import { allLaunches } from "../../../plugins/mcp/launch.ts";
import { OptionsSchema } from "../../../plugins/mcp/options.ts";

function launches(servers: unknown, own: readonly ToolServer[] = []) {
  const options = checkOptions(OptionsSchema, { servers }, ["mcp"]);
  return allLaunches(
    options.servers,
    { servers: own, cwd: "/project" },
    "/project",
  );
}

Deno.test("OptionsSchema takes programs and addresses, and numbers as text", () => {
  const { launches: all } = launches({
    files: {
      command: "files",
      args: ["--port", 80],
      env: { N: 1 },
      cwd: "sub",
    },
    web: { url: "https://x.example/mcp", headers: { A: "b" } },
    old: { type: "sse", url: "http://x.example/sse" },
  });
  const cwd = "/project";
  assert.deepEqual(all, [
    {
      type: "stdio",
      name: "files",
      command: "files",
      args: ["--port", "80"],
      env: { N: "1" },
      cwd: "/project/sub",
    },
    {
      type: "http",
      name: "web",
      url: "https://x.example/mcp",
      headers: { A: "b" },
      cwd,
    },
    { type: "sse", name: "old", url: "http://x.example/sse", headers: {}, cwd },
  ]);
});

Deno.test("OptionsSchema says what is wrong and where", () => {
  const wrong: [unknown, RegExp][] = [
    [{ x: { command: "a", evn: {} } }, /mcp\.servers\.x\.evn: unknown key/],
    [{ x: { url: "x.example" } }, /servers\.x\.url: expected an http or https/],
    [{ x: { url: "file:///x" } }, /servers\.x\.url: expected an http or https/],
    [{ x: {} }, /servers\.x: command: expected string, or url/],
    [{ x: "npx" }, /servers\.x: expected object/],
  ];
  for (const [servers, message] of wrong) {
    assert.throws(() => launches(servers), message);
  }
});

Deno.test("allLaunches() lets the session's server win and tells of it", () => {
  const own: ToolServer = {
    type: "stdio",
    name: "files",
    command: "mine",
    args: [],
    env: {},
  };
  const { launches: all, problems } = launches(
    { files: { command: "files" }, more: { command: "more" } },
    [own],
  );
  assert.deepEqual(all.map((l) => l.type === "stdio" && l.command), [
    "mine",
    "more",
  ]);
  assert.deepEqual(problems, [
    'MCP server "files" is named twice: the session\'s own one is used',
  ]);
});
