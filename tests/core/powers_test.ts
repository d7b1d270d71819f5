import assert from "node:assert/strict";
import fc from "fast-check";
import { parseUse } from "../../core/config.ts";
import { readConfig } from "../../core/config_file.ts";
import { ConfigError } from "../../core/error.ts";
import { powerLine } from "../../core/power_line.ts";
import { powersOf } from "../../core/powers.ts";
import { builtIn, plugins } from "../../plugins/table.ts";
import { mutated, mutationsOf } from "./mutated.ts";

// M is not set.
const ENV = (name: string) => name === "M" ? undefined : `value-of-${name}`;

function read(text: string) {
  const { config, written } = readConfig(text, "agent.yaml", ENV);
  return { config, powers: powersOf(written, builtIn) };
}

function lines(text: string): string[] {
  return read(text).powers.map(powerLine);
}

Deno.test("powersOf() finds none in what asks for nothing", () => {
  for (
    const text of [
      "",
      "model: demo\n",
      "model: { use: openai, name: x, apiKey: '${KEY}' }",
      "model: { use: openai, baseURL: 'http://127.0.0.1:1/v1', apiKey: '${KEY}' }",
      "model: { use: openai, baseURL: 'http://[::1]:1/v1', headers: { A: '${KEY}' } }",
      "model: { use: openai, baseURL: 'unix:///run/x.sock:/v1', apiKey: '${KEY}' }",
      "model: { use: openai, baseURL: 'https://api.openai.com/v1', apiKey: '${KEY}' }",
      "model: { use: anthropic, name: x }",
      "model: { use: anthropic, name: x, apiKey: '${KEY}', headers: { A: '${B}' } }",
      "model: { use: anthropic, name: '${N}', headers: { X-Api-Key: '${KEY}' } }\nprompt: 'cost: $${P}'",
      "model: ./m.js",
      "model: ${MODEL:-demo}",
      "sessions: { store: { use: sqlite, path: mine.db } }",
      "sessions: { store: { use: sqlite, path: .mm/mine.db } }",
      "sessions: { store: { use: sqlite, timeout: 10 } }",
      "sessions: { store: ./s.js }",
      "serve: { port: 1, replay: { bytes: 1073741824 }, names: [] }",
      ...["localhost", "127.0.0.1", "127.9.9.9", "'::1'"].map((host) =>
        `serve: { host: ${host} }`
      ),
      "plugins: [coding, mcp, ./x.js, { use: ./y.js }]",
      "plugins: [{ use: coding, hideEnv: ['${KEY}'] }]",
      "mcp: { timeout: 5, servers: {} }",
      ...["ask", "read", "none"].map((m) => `approvals: { mode: ${m} }`),
      "approvals: { commands: [] }",
    ]
  ) {
    assert.deepEqual(lines(text), [], text);
  }
});

Deno.test("powersOf() finds what runs, is sent or is written unasked, and powerLine() says it", () => {
  const far = "model: { use: openai, baseURL: 'https://far.example/v1'";
  for (
    const [text = "", ...found] of [
      [
        "mcp: { servers: { files: { command: npx, args: [-y, 'a b', 1], cwd: docs, env: { T: '${T}' } } } }",
        'start MCP server files: npx -y "a b" 1 (cwd: "docs") (env: {"T":"$T"})',
      ],
      [
        "mcp: { servers: { web: { type: sse, url: 'https://x.example/${T}', headers: { A: b } } } }",
        'use MCP server web: https://x.example/$T (headers: {"A":"b"})',
      ],
      [
        "plugins: [coding, { use: mcp, servers: { x: { command: y } } }]",
        "start MCP server x: y",
      ],
      [
        "plugins: [{ use: '${X:-mcp}', servers: { x: { command: y } } }]",
        "start MCP server x: y",
        'send $X to plugin ${X:-mcp} {"servers":{"x":{"command":"y"}}}',
      ],
      [
        "mcp: { servers: { __proto__: { command: y } } }",
        "start MCP server __proto__: y",
      ],
      ["approvals: { mode: all }", "run every tool call without asking"],
      ["approvals: { mode: edit }", "edit files of the project without asking"],
      [
        "approvals: { mode: '${M:-all}' }",
        "decide on tool calls by approvals.mode ${M:-all}",
      ],
      [
        "approvals: { commands: [npm test, '${C:-rm}'] }",
        "run `npm test …` without asking",
        "run `${C:-rm} …` without asking",
      ],
      [
        `${far}, apiKey: '\${K}' }`,
        "send conversations, $K to https://far.example/v1",
      ],
      [
        `${far}, headers: { X: 'a \${K} \${L}' } }`,
        "send conversations, $K, $L to https://far.example/v1",
      ],
      [
        `${far} }\nprompt: 'say \${K}'`,
        "send conversations to https://far.example/v1",
        "send $K to the model, in its prompt",
      ],
      [
        "model: { use: openai, baseURL: 'https://far.example/${K}' }",
        "send conversations, $K to https://far.example/$K",
      ],
      [
        "model: { use: openai, baseURL: 'http://localhost:${P:-1@far.example}/v1' }",
        "send conversations, $P to http://localhost:${P:-1@far.example}/v1",
      ],
      [
        "model: { use: openai, baseURL: 'http://localhost@far.example/v1', apiKey: '${K}' }",
        "send conversations, $K to http://localhost@far.example/v1",
      ],
      [
        "model: { use: openai, baseURL: 'http://api.openai.com/v1', apiKey: '${K}' }",
        "send conversations, $K to http://api.openai.com/v1",
      ],
      [
        `${far}, apiKey: written-here, name: '$\${K}' }`,
        "send conversations to https://far.example/v1",
      ],
      ...[
        "apiKey: theirs",
        "apiKey: 'x${K:-}'",
        "headers: { Authorization: 'Bearer theirs' }",
      ]
        .map((key) => [
          `model: { use: openai, baseURL: 'https://api.openai.com/v1', ${key} }`,
          `send conversations${
            key.includes("${K") ? ", $K" : ""
          } to https://api.openai.com/v1 with a key of its own`,
        ]),
      [
        "model: { use: anthropic, name: x, apiKey: theirs, headers: { A: '${K}' } }",
        "send conversations, $K to https://api.anthropic.com/v1 with a key of its own",
      ],
      [
        "model: { use: openai, baseURL: 'https://:theirs@api.openai.com/v1' }",
        "send conversations to https://:theirs@api.openai.com/v1",
      ],
      ...["", "model: demo\n", "model: { use: anthropic, name: x }\n"].map(
        (model) => [
          `${model}prompt: 'say \${K} \${L:-x}'`,
          "send $K, $L to the model, in its prompt",
        ],
      ),
      [
        "model: { use: ./m.js, at: 'https://far.example' }",
        'send conversations to plugin ./m.js {"at":"https://far.example"}',
      ],
      [
        "sessions: { store: { use: ./s.js, url: 'https://far.example' } }",
        'use plugin ./s.js with {"url":"https://far.example"}',
      ],
      [
        "plugins: [{ use: ./y.js, level: 3 }]",
        'use plugin ./y.js with {"level":3}',
      ],
      [
        "sessions: { store: { use: sqlite, path: ../x.db, keepDays: 1 } }",
        "keep conversations in ../x.db",
        "remove conversations untouched for 1 days",
      ],
      ...["0.0.0.0", "192.168.0.9", "127.evil.example", "'${H:-localhost}'"]
        .map((host) => [
          `serve: { host: ${host} }`,
          `serve conversations on ${host.replaceAll("'", "")}`,
        ]),
      [
        "serve: { names: [a.example, '${N}'] }",
        "serve conversations under the names a.example, $N",
      ],
      [
        "model: { use: anthropic, name: x, baseURL: 'https://far.example/v1' }",
        "send conversations, $ANTHROPIC_API_KEY to https://far.example/v1",
      ],
      [
        "model: { use: anthropic, name: x, baseURL: 'https://far.example/v1', apiKey: '${K:-}' }",
        "send conversations, $K, $ANTHROPIC_API_KEY to https://far.example/v1",
      ],
      [
        "model: { use: ./m.js, at: 'https://far.example', key: '${K}' }",
        'send conversations, $K to plugin ./m.js {"at":"https://far.example","key":"$K"}',
      ],
      [
        "model: { use: '${U:-anthropic}', name: x, baseURL: 'https://far.example/v1' }",
        'send conversations, $U to plugin ${U:-anthropic} {"name":"x","baseURL":"https://far.example/v1"}',
      ],
      [
        "sessions: { store: { use: ./s.js, password: '${K}' } }",
        'send $K to plugin ./s.js {"password":"$K"}',
      ],
      [
        "plugins: [{ use: 'npm:x', deep: [{ key: '${K}' }] }]",
        'send $K to plugin npm:x {"deep":[{"key":"$K"}]}',
      ],
      ...[
        "/etc/x.db",
        "../x.db",
        "a/x.db",
        ".mm/../../x.db",
        "..\\x",
        "${X:-/x}",
      ]
        .map((path) => [
          `sessions: { store: { use: sqlite, path: '${path}' } }`,
          `keep conversations in ${path}`,
        ]),
    ]
  ) {
    assert.deepEqual(lines(text), found, text);
  }
});

Deno.test("powersOf() holds no value of the environment", () => {
  const { powers } = read(`
model: { use: openai, baseURL: 'https://far.example/\${A}', apiKey: '\${B}' }
mcp: { servers: { x: { command: '\${C}', env: { D: '\${D}' } } } }
approvals: { commands: ['\${E}'] }
`);
  assert.ok(!JSON.stringify(powers).includes("value-of-"));
});

Deno.test("powerLine() is one line in which nothing hides or moves the cursor", () => {
  const text = `
mcp:
  servers:
    "good\\e[2K\\rbad": { command: "x\\ny", args: ["\\u202e", "\\u200b", "", "a'b"] }
approvals: { commands: ["ls\\n  keep calm"] }
`;
  assert.deepEqual(lines(text), [
    String
      .raw`start MCP server good\u{1b}[2K\u{d}bad: "x\ny" \u{202e} \u{200b} "" "a'b"`,
    String.raw`run \`ls\u{a}  keep calm …\` without asking`.replaceAll(
      "\\`",
      "`",
    ),
  ]);
});

Deno.test("the homes of built-in models are where their plugins send keys unasked", async () => {
  for (const name of builtIn.names) {
    const plugin = await plugins[name]!();
    if (plugin.kind !== "model" || name === "demo") continue;
    const home = builtIn.homes[name];
    assert.ok(home, `${name} has no home`);
    const { data } = (plugin.options as unknown as {
      safeParse(value: unknown): { data: { baseURL: string } };
    }).safeParse({ name: "x" });
    if (home.here) assert.match(data.baseURL, /^http:\/\/localhost:/);
    else assert.equal(data.baseURL, home.url);
    // A key of the environment goes home, and elsewhere only if that is known.
    for (const baseURL of [home.url, "https://far.example/v1"]) {
      const asked: string[] = [];
      const host = {
        env: (n: string) => void asked.push(n),
        now: () => new Date(),
      };
      await plugin.open({ ...data, baseURL } as never, host as never);
      if (baseURL !== home.url) {
        assert.deepEqual(asked, home.key ? [home.key] : [], name);
      }
    }
  }
});

const FREE = `
model: { use: openai, name: x, baseURL: "https://far.example/v1", apiKey: "\${KEY}" }
sessions: { store: { use: sqlite, path: "../x.db" } }
mcp:
  servers:
    files: { command: npx, args: [-y, files, .], env: { A: "1" }, cwd: docs }
    web: { url: "https://x.example/mcp", headers: { B: "\${KEY}" } }
approvals: { mode: all, commands: [npm test, "git status"] }
plugins: [{ use: coding, timeout: 60 }]
`;

Deno.test("powersOf() misses nothing that 5,000 mutated files let run", () => {
  const before = read(FREE);
  let changed = 0;
  fc.assert(
    fc.property(fc.oneof(mutationsOf(FREE), mutated), (text) => {
      const after = tryRead(text);
      if (!after) return;
      const runs = effect(after.config);
      if (runs === NOTHING) return;
      assert.ok(after.powers.length > 0, runs);
      if (runs === effect(before.config)) return;
      changed++;
      assert.notDeepEqual(after.powers, before.powers, runs);
    }),
    { numRuns: 5000, seed: 20260101 },
  );
  assert.ok(changed > 100, `only ${changed} were different`);
});

function tryRead(text: string) {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

type Config = ReturnType<typeof read>["config"];

/** What a configuration lets run, as mm would use it. */
function effect({ mcp, approvals, plugins, sessions }: Config): string {
  const { options: { path }, name } = parseUse(sessions.store);
  const servers = [
    mcp,
    ...plugins.map(parseUse).filter((u) => u.name === "mcp").map((u) =>
      u.options
    ),
  ]
    .flatMap((o) => Object.entries(o?.servers ?? {}));
  return JSON.stringify({
    servers,
    mode: ["all", "edit"].includes(approvals.mode) ? approvals.mode : "",
    commands: approvals.commands,
    path: name === "sqlite" && String(path).includes("..") ? path : "",
  });
}

const NOTHING = effect(read("").config);
