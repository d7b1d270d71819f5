import assert from "node:assert/strict";
import fc from "fast-check";
import { checkConfig } from "../../core/config.ts";
import { readConfig } from "../../core/config_file.ts";
import { ConfigError } from "../../core/error.ts";
import { mutated } from "./mutated.ts";

Deno.test("checkConfig() fills in every default", () => {
  assert.deepEqual(checkConfig({}), {
    sessions: { enabled: true, store: "json" },
    compaction: { use: "summary", at: 0.8, keepTurns: 2 },
    titles: "question",
    approvals: { mode: "ask", commands: [] },
    tools: { maxRounds: 50, off: [] },
    plugins: [],
  });
});

Deno.test("readConfig() names file, line, key, what was expected and the nearest name", () => {
  const mistakes: [string, string][] = [
    ["\nsesions: {}", `:2: sesions: unknown key, did you mean "sessions"?`],
    [
      "foo: 1",
      ":1: foo: unknown key, expected one of model, prompt, sessions, compaction, titles, approvals, tools, mcp, serve, plugins",
    ],
    [
      "sessions:\n  enable: true",
      `:2: sessions.enable: unknown key, did you mean "enabled"?`,
    ],
    [
      "tools:\n  maxRounds: many",
      ":2: tools.maxRounds: expected number, received string",
    ],
    ["tools: {maxRounds: 0}", ":1: tools.maxRounds: expected at least 1"],
    [
      "approvals:\n  mode: al",
      `:2: approvals.mode: expected one of "ask", "edit", "all", "read", "none"`,
    ],
    ["plugins:\n  - a\n  - 3", ":3: plugins.1: expected string"],
    [
      "model: 3",
      ":1: model: expected string, received number, or expected object, received number",
    ],
    ["a: 1\na: 2", ":2: Map keys must be unique"],
    ["model: 'x", ":1: Missing closing 'quote"],
    [
      "model: x\n--- \nmodel: y",
      ':2: it goes on after a line "---" or "...": remove that line',
    ],
    [
      "model: ${NOPE}",
      ":1: model: the environment variable NOPE is not set: set it, or write ${NOPE:-default}",
    ],
    [
      "model: ${NO_KEY}",
      ":1: model: the environment variable NO_KEY is not set: set it",
    ],
    ["sessions: &a [*a]", ": it is nested too deeply"],
    ["__proto__: {}", ":1: __proto__: unknown key"],
    ["just text", ': expected keys such as "model:" at the top level'],
  ];
  for (const [text, message] of mistakes) {
    assert.throws(() => read(text), (error: unknown) => {
      assert.ok(error instanceof ConfigError, String(error));
      assert.ok(
        error.message.startsWith(`Cannot read agent.yaml${message}`),
        error.message,
      );
      assert.doesNotMatch(error.message, /\n/);
      return true;
    }, text);
  }
});

Deno.test("readConfig() takes values from the environment, with a default and an escape", () => {
  const text = "prompt: ${A} ${B:-b} $${C} ${EMPTY:-e}\nmodel: demo";
  const env = { A: "a", EMPTY: "" };
  assert.equal(read(text, env).prompt, "a b ${C} e");
});

Deno.test("readConfig() takes an empty file, a comment and a byte order mark", () => {
  for (const text of ["", "# nothing\n", "\ufeff", "---\n", "null"]) {
    assert.deepEqual(read(text), checkConfig({}));
  }
});

Deno.test("readConfig() is not overcome by aliases, depth or length", () => {
  const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"];
  for (let i = 1; i < 12; i++) {
    const before = String.fromCharCode(96 + i);
    const name = String.fromCharCode(97 + i);
    bomb.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(", ")}]`);
  }
  const hostile = [
    bomb.join("\n"),
    "[".repeat(100_000),
    "a: ".repeat(10_000),
    "- ".repeat(100_000),
    "x".repeat(2_000_000),
    "{".repeat(50_000) + "}".repeat(50_000),
  ];
  for (const text of hostile) assert.throws(() => read(text), ConfigError);
});

Deno.test("readConfig() answers 2,000 mutated texts with a configuration or a ConfigError", () => {
  fc.assert(
    fc.property(mutated, (text) => {
      try {
        read(text, { KEY: "k" });
      } catch (error) {
        assert.ok(error instanceof ConfigError, String(error));
        assert.match(error.message, /^Cannot read agent\.yaml[:\d]*: .+$/);
      }
    }),
    { numRuns: 2000, seed: 20260101 },
  );
});

function read(text: string, env: Readonly<Record<string, string>> = {}) {
  return readConfig(text, "agent.yaml", (name) => env[name]).config;
}
