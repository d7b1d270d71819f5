import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { checkImports } from "../../scripts/imports/check.ts";
import { TempDir } from "../temp_dir.ts";

Deno.test("checkImports() accepts a tree that keeps the rules", async () => {
  const violations = await check({
    "deno.json": "{}",
    "mod.ts": `export * from "./core/fold.ts"; import "./plugins/table.ts";`,
    "core/fold.ts": `import type { Id } from "./id.ts"; // Deno.cwd()
      import { object } from "zod/mini"; import { safeParse } from "zod/v4/core";
      export const text = "Deno.cwd()";`,
    "core/id.ts": `import prompt from "./prompt.txt" with { type: "text" };
      export type Id = string;`,
    "core/config.ts": `import "yaml";`,
    "core/nearest.ts": `import "fastest-levenshtein";`,
    "core/prompt.txt": "",
    "plugins/files/a.ts": `import "./b.ts"; import "../../core/fold.ts";`,
    "plugins/files/b.ts": "",
    "plugins/json/a.ts": `import "./b.ts"; import "../../core/fold.ts";
      import "../files/a.ts";
      import "node:fs"; import "diff"; Deno.cwd();`,
    "plugins/json/b.ts": "",
    "plugins/table.ts": `export const load = () => import("./json/a.ts");`,
    "facades/acp/a.ts": `import "../../core/fold.ts"; import "ignore";`,
    "facades/table.ts": `export const load = () => import("./acp/a.ts");`,
    "facades/cli/main.ts": `import "../table.ts"; import "./args.ts";
      import "../../plugins/table.ts"; import "../../core/id.ts";
      import config from "../../deno.json" with { type: "json" };`,
    "facades/cli/args.ts": `import "commander";`,
    "scripts/a.ts": `import "../plugins/json/a.ts"; Deno.cwd();`,
    "tests/a_test.ts": `import "mm"; import "../facades/acp/a.ts"; Deno.cwd();`,
  });
  assert.deepEqual(violations, []);
});

const core = "core imports core only";
const zod =
  "core imports zod only (core/config also yaml, core/nearest fastest-levenshtein, core/http/sse eventsource-parser)";
const cli = "mod.ts and facades/cli import core and the two tables only";
const plugin =
  "plugins/y/ imports core, plugins/files/ and its own folder only";
const platform =
  "cannot use Deno: only plugins, facades, scripts and tests may";
const forbidden: [what: string, file: string, line: string, rule: string][] = [
  ["core importing a plugin", "core/a.ts", `import "../plugins/x/a.ts";`, core],
  ["core importing a facade", "core/a.ts", `import "../facades/x/a.ts";`, core],
  [
    "a type of a plugin in core",
    "core/a.ts",
    `import type { A } from "../plugins/x/a.ts";`,
    core,
  ],
  [
    "a type query of a plugin in core",
    "core/a.ts",
    `type A = import("../plugins/x/a.ts").A;`,
    core,
  ],
  [
    "core importing a plugin lazily",
    "core/a.ts",
    `import("../plugins/x/a.ts");`,
    core,
  ],
  [
    "core exporting from a plugin",
    "core/a.ts",
    `export * from "../plugins/x/a.ts";`,
    core,
  ],
  ["core importing mod.ts by name", "core/a.ts", `import "mm";`, core],
  ["core importing node", "core/a.ts", `import "node:fs";`, zod],
  ["core importing a package", "core/a.ts", `import "diff";`, zod],
  ["core importing yaml outside config", "core/fold.ts", `import "yaml";`, zod],
  ["core using Deno", "core/a.ts", "const cwd = `${Deno.cwd()}`;", platform],
  ["mod.ts using Deno", "mod.ts", "Deno.cwd();", platform],
  [
    "the web page using Deno",
    "facades/remote/web/a.ts",
    "Deno.cwd();",
    "cannot use Deno: it runs in browsers",
  ],
  [
    "the web page's client importing node",
    "facades/remote/client/a.ts",
    `import "node:fs";`,
    "it runs in browsers",
  ],
  ["mod.ts importing a plugin", "mod.ts", `import "./plugins/x/a.ts";`, cli],
  [
    "the CLI importing a plugin",
    "facades/cli/a.ts",
    `import "../../plugins/x/a.ts";`,
    cli,
  ],
  [
    "the CLI importing a facade",
    "facades/cli/a.ts",
    `import "../x/a.ts";`,
    cli,
  ],
  [
    "a facade importing a plugin",
    "facades/y/a.ts",
    `import "../../plugins/x/a.ts";`,
    "facades/y/ imports core and its own folder only",
  ],
  [
    "a facade importing another",
    "facades/y/a.ts",
    `import "../x/a.ts";`,
    "facades/y/ imports core and its own folder only",
  ],
  [
    "a plugin importing another",
    "plugins/y/a.ts",
    `import "../x/a.ts";`,
    plugin,
  ],
  [
    "a plugin importing mod.ts",
    "plugins/y/a.ts",
    `import "mm";`,
    plugin,
  ],
  [
    "a plugin importing the table",
    "plugins/y/a.ts",
    `import "../table.ts";`,
    plugin,
  ],
  [
    "the files that stores share importing a plugin",
    "plugins/files/a.ts",
    `import "../x/a.ts";`,
    "plugins/files/ imports core and its own folder only",
  ],
  [
    "a facade importing the files that stores share",
    "facades/y/a.ts",
    `import "../../plugins/files/b.ts";`,
    "facades/y/ imports core and its own folder only",
  ],
  [
    "the plugin table importing a facade",
    "plugins/table.ts",
    `import "../facades/x/a.ts";`,
    "plugins/table.ts imports core and plugins only",
  ],
  [
    "the facade table importing a plugin",
    "facades/table.ts",
    `import "../plugins/x/a.ts";`,
    "facades/table.ts imports core and facades only",
  ],
  [
    "a package outside the imports table",
    "plugins/y/a.ts",
    `import "npm:diff@^9";`,
    "name it in the imports of deno.json",
  ],
];

for (const [what, file, code, rule] of forbidden) {
  Deno.test(`checkImports() finds ${what}`, async () => {
    const violations = await check({
      "plugins/x/a.ts": "export type A = 1;",
      "plugins/files/b.ts": "",
      "facades/x/a.ts": "",
      [file]: `// a first line\n${code}\n`,
    });
    assert.deepEqual(violations.map((v) => `${v.file}:${v.line}`), [
      `${file}:2`,
    ]);
    assert.ok(violations[0]!.rule.endsWith(rule), violations[0]!.rule);
  });
}

Deno.test("checkImports() finds a cycle and names its files", async () => {
  const violations = await check({
    "core/a.ts": `import "./b.ts";`,
    "core/b.ts": `import "./c.ts";`,
    "core/c.ts": `\nimport "./a.ts";`,
  });
  assert.deepEqual(violations, [{
    file: "core/c.ts",
    line: 2,
    rule: "no import cycles: core/a.ts > core/b.ts > core/c.ts > core/a.ts",
  }]);
});

Deno.test("checkImports() lets types name each other in circles", async () => {
  const violations = await check({
    "core/a.ts": `import "./b.ts"; export type A = 1;`,
    "core/b.ts": `import type { A } from "./a.ts";`,
  });
  assert.deepEqual(violations, []);
});

Deno.test("checkImports() finds a file that imports itself", async () => {
  const violations = await check({ "core/a.ts": `import "./a.ts";` });
  assert.equal(violations[0]!.rule, "no import cycles: core/a.ts > core/a.ts");
});

Deno.test("checkImports() reports a file it cannot parse", async () => {
  const violations = await check({ "core/a.ts": "import from" });
  assert.deepEqual(violations, [{
    file: "core/a.ts",
    line: 1,
    rule: "cannot be parsed: see deno check",
  }]);
});

Deno.test("check_imports prints file:line and the rule, and exits with 1", async () => {
  await using dir = await TempDir.make();
  await plant(dir.path, { "core/a.ts": `import "../facades/x/a.ts";` });
  const script = new URL("../../scripts/check_imports.ts", import.meta.url);
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-config", script.pathname],
    cwd: dir.path,
  }).output();
  assert.equal(code, 1);
  assert.equal(
    new TextDecoder().decode(stdout),
    "core/a.ts:1: cannot import facades/x/a.ts: core imports core only\n",
  );
});

async function check(files: Record<string, string>) {
  await using dir = await TempDir.make();
  await plant(dir.path, files);
  return await checkImports(dir.path);
}

async function plant(
  root: string,
  files: Record<string, string>,
): Promise<void> {
  for (const [file, code] of Object.entries(files)) {
    await Deno.mkdir(join(root, dirname(file)), { recursive: true });
    await Deno.writeTextFile(join(root, file), code);
  }
}
