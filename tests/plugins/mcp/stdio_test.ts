import assert from "node:assert/strict";
import { toolSpec } from "../../../core/tool.ts";
import { HeldTimers } from "../../held_timers.ts";
import { marked } from "../../marked.ts";
import { TempDir } from "../../temp_dir.ts";
import { until } from "../../until.ts";
import { fake, fakeOption, serve, toolContext, use } from "./lab.ts";

Deno.test("serve() offers the tools of the configuration and of the session", async () => {
  await using served = await serve([fake("own")], {
    servers: { conf: fakeOption(["paged"]) },
  });
  assert.deepEqual(served.problems, []);
  const names = served.tools.map((tool) => tool.name);
  assert.equal(names.length, 12);
  assert.ok(names.includes("mcp__conf__progress"));
  const result = await use(served, "mcp__own__echo", { text: "hi" });
  assert.deepEqual(result, { content: '{"text":"hi"}' });
});

Deno.test("serve() passes a tool's schema on and asks before every call", async () => {
  await using served = await serve([fake("own", ["old"])]);
  const [tool] = served.tools;
  assert.ok(tool);
  assert.deepEqual(toolSpec(tool), {
    name: "mcp__own__echo",
    description: "The echo tool",
    parameters: {
      type: "object",
      properties: { text: { type: "string", description: "What to say" } },
      required: ["text"],
    },
  });
  assert.deepEqual(await tool.plan({ text: "\x1b[2Jhi" }, toolContext()), {
    title: 'own: echo {"text":"\\u001b[2Jhi"}',
    access: "ask",
    reason: 'calls the MCP server "own"',
    scope: "own: echo",
  });
});

const FAULTS: [flags: string, tools: number, problem?: RegExp][] = [
  [
    "exit",
    0,
    /^Cannot use MCP server "f": it exited with code 3; stderr: fake: no licence$/,
  ],
  ["garbage", 6],
  ["no-tools", 0, /^MCP server "f": it offers no tools$/],
  ["no-list", 0, /its list of tools is no list$/],
  ["endless", 0, /its list of tools has no end$/],
  ["many=10000", 128, /only its first 128 tools are used$/],
  ["huge", 6, /the schema of its tool "huge" is too big \(100 kB\)$/],
  ["twice", 6, /it has two tools named "echo"$/],
  ["hostile", 8, /it has a tool without a proper name$/],
];

for (const [flag, tools, problem] of FAULTS) {
  Deno.test(`serve() copes with a server that has --${flag}`, async () => {
    await using served = await serve([fake("f", [flag]), fake("good")]);
    const ours = served.tools.filter((t) => t.name.startsWith("mcp__f__"));
    assert.equal(ours.length, tools);
    for (const tool of ours) {
      assert.match(tool.name, /^[a-zA-Z0-9_-]{1,64}$/);
      assert.ok(tool.description.length < 2100);
    }
    assert.equal(served.problems.length, problem ? 1 : 0);
    if (problem) assert.match(served.problems[0] ?? "", problem);
    const result = await use(served, "mcp__good__echo", { a: 1 });
    assert.equal(result.content, '{"a":1}');
  });
}

Deno.test("serve() gives up on a server that sends a line without end", async () => {
  await using served = await serve([fake("f", ["long-line"])]);
  assert.match(served.problems[0] ?? "", /line of more than 33554432 bytes/);
});

const shell = (script: string) => ({ command: "sh", args: ["-c", script] });
const ignore = Deno.build.os === "windows";

// The time all have to answer, and what the SDK adds to it for each request.
const LIMIT = { timeout: 5 };
const [LIMIT_MS, REQUEST_MS] = [5000, 6000];

Deno.test(
  "serve() gives up on servers that do not answer in time",
  { ignore },
  async () => {
    const marker = crypto.randomUUID();
    const env = { MM_TEST: marker };
    await using dir = await TempDir.make();
    const printed = `${dir.path}/printed`;
    const noise = shell(
      `echo Listening on port 3000; touch ${printed}; while read x; do :; done`,
    );
    using limits = new HeldTimers(LIMIT_MS);
    using requests = new HeldTimers(REQUEST_MS);
    const serving = serve(
      [fake("mute", ["mute"], env), fake("list", ["mute-list"], env)],
      { ...LIMIT, servers: { noise: { ...noise, env } } },
    );
    // All were asked who they are, and one for its tools.
    await until(() => requests.set === 4 && isThere(printed));
    limits.fire();
    await using served = await serving;
    const late = "it did not answer within 5 s";
    assert.deepEqual(served.problems, [
      `Cannot use MCP server "noise": ${late}; it printed to stdout what is no JSON-RPC: "Listening on port 3000"`,
      `Cannot use MCP server "mute": ${late}`,
      `Cannot use MCP server "list": ${late}`,
    ]);
    if (Deno.build.os === "linux") assert.deepEqual(marked(marker), []);
  },
);

Deno.test(
  "serve() gives up on a server that floods it with what is no message",
  { ignore },
  async () => {
    using _limits = new HeldTimers(LIMIT_MS); // of no help
    const servers = { noise: shell("exec yes") };
    await using served = await serve([], { ...LIMIT, servers });
    assert.deepEqual(served.problems, [
      'Cannot use MCP server "noise": it never stops; it printed to stdout what is no JSON-RPC: "y"',
    ]);
  },
);

Deno.test(
  "serve() goes on while a server floods it with messages, and gives up on it in time",
  { ignore },
  async () => {
    using limits = new HeldTimers(LIMIT_MS);
    const servers = {
      chat: shell(`exec yes '{"jsonrpc":"2.0","method":"x"}'`),
    };
    const serving = serve([], { ...LIMIT, servers });
    let turns = 0; // which the flood leaves to others
    await until(() => limits.waiting === 1 && ++turns > 20);
    limits.fire();
    await using served = await serving;
    assert.deepEqual(served.problems, [
      'Cannot use MCP server "chat": it did not answer within 5 s',
    ]);
  },
);

Deno.test(
  "serve() says how a server ended that was gone at once",
  { ignore },
  async () => {
    await using served = await serve([], {
      servers: {
        gone: shell("exit 4"),
        deaf: shell("exec <&-; exit 5"),
      },
    });
    assert.deepEqual(served.problems, [
      'Cannot use MCP server "gone": it exited with code 4',
      'Cannot use MCP server "deaf": it exited with code 5',
    ]);
  },
);

Deno.test("serve() names the command or folder that is not there", async () => {
  const none = fakeOption();
  await using served = await serve([], {
    servers: {
      none: { ...none, command: "mm-no-such-command" },
      lost: { command: "ls", cwd: "/no/such/folder" },
    },
  });
  assert.match(
    served.problems.join("\n"),
    /"none": there is no command "mm-no-such-command"/,
  );
  assert.match(served.problems.join("\n"), /"lost": .*\/no\/such\/folder/);
});

Deno.test("serve() stops at once when its session is closed", async () => {
  const closed = new AbortController();
  const serving = serve([fake("f", ["mute"])], {}, closed.signal);
  closed.abort(new Error("it is closed"));
  await using served = await serving;
  assert.match(served.problems[0] ?? "", /"f": it is closed/);
});

Deno.test("serve() hides secrets from servers and gives them their own", async () => {
  Deno.env.set("MM_TEST_API_KEY", "secret");
  try {
    await using served = await serve([fake("f", [], { OWN: "1" })]);
    const { content } = await use(served, "mcp__f__environment");
    const { env } = JSON.parse(content);
    assert.equal(env.OWN, "1");
    assert.equal(env.PATH, Deno.env.get("PATH"));
    assert.equal(env.MM_TEST_API_KEY, undefined);
  } finally {
    Deno.env.delete("MM_TEST_API_KEY");
  }
});

Deno.test("serve() follows a list of tools that changes", async () => {
  await using served = await serve([fake("f")]);
  await use(served, "mcp__f__swap");
  await until(() => served.tools.some((t) => t.name === "mcp__f__echo2"));
  assert.equal(served.tools.length, 6);
});

Deno.test("a call shows progress while it runs", async () => {
  await using served = await serve([fake("f")]);
  let shown = "";
  const output = (text: string) => shown += text;
  await use(served, "mcp__f__progress", {}, { output });
  assert.equal(shown, "half way (1/2)\n");
});

Deno.test("a cancelled call is cancelled at the server, an answered one is not", async () => {
  await using served = await serve([fake("f")]);
  const turn = new AbortController();
  const { signal } = turn;
  await use(served, "mcp__f__echo", {}, { signal });
  const output = () => turn.abort(new DOMException("Cancelled", "AbortError"));
  const slow = use(served, "mcp__f__slow", {}, { signal, output });
  await assert.rejects(slow, { name: "AbortError" });
  const { content } = await use(served, "mcp__f__environment");
  const { cancelled } = JSON.parse(content);
  assert.equal(cancelled.length, 1);
});

Deno.test("a server that dies fails its call and is started again once", async () => {
  await using served = await serve([fake("f")]);
  const died =
    /^Error: MCP server "f" stopped during the call: it exited with code 9; stderr: fake: out of memory$/;
  await assert.rejects(use(served, "mcp__f__die"), died);
  await assert.rejects(use(served, "mcp__f__die"), died);
  await assert.rejects(
    use(served, "mcp__f__echo"),
    /^Error: MCP server "f" is gone: it exited with code 9/,
  );
});

Deno.test("a server that was started again works on", async () => {
  await using served = await serve([fake("f")]);
  for (let i = 0; i < 2; i++) {
    await assert.rejects(use(served, "mcp__f__die"), /stopped during the call/);
    const { content } = await use(served, "mcp__f__echo", { i });
    assert.equal(content, `{"i":${i}}`);
  }
});

function isThere(path: string): Promise<boolean> {
  return Deno.stat(path).then(() => true, () => false);
}
