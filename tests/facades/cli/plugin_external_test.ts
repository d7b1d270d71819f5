import assert from "node:assert/strict";
import { join } from "node:path";
import { strictObject } from "zod/mini";
import {
  type BundlePlugin,
  definePlugin,
  type PluginHost,
  type StorePlugin,
} from "../../../core/plugin.ts";
import { guarded } from "../../../facades/cli/plugin/guarded.ts";
import { bundle, example } from "../../plugins/external/bundled.ts";
import { Project } from "./project.ts";

// Options of zod 4 by hand: what a plugin without a bundler can do.
const NO_OPTIONS = `{ _zod: { def: {}, run: (payload) => payload } }`;

/** A bundle whose import leaves a trace, and whose tool says whether it has the host's own mm. */
function tool(name: string, extra = ""): string {
  return `
import * as mm from "mm";
Deno.writeTextFileSync("ran", "yes", { append: true });
${extra}
export const plugin = mm.definePlugin({
  name: ${JSON.stringify(name)},
  options: ${NO_OPTIONS},
  open() {
    // The host's own class: told as the user's mistake, and not as a bug of mm.
    if (Deno.env.get("CHECK")) throw new mm.UserError("one instance");
    return {};
  },
});
`;
}

/** A bundle whose `open` does that. */
function opening(body: string): string {
  return `
import * as mm from "mm";
export const plugin = mm.definePlugin({
  name: "opening", options: ${NO_OPTIONS}, open() { ${body} },
});`;
}

Deno.test("a plugin from outside runs only once exactly this code is trusted", async () => {
  await using project = await Project.make({
    "agent.yaml": "plugins:\n  - ./x.js # ours\n",
    "x.js": tool("x"),
  });
  const refused = await project.mm(["run", "hello"]);
  assert.equal(refused.code, 2);
  assert.match(
    refused.stderr,
    /Cannot use plugin "\.\/x\.js": you have not trusted this version of it \(sha256 [0-9a-f]{64}\); read it, then run mm plugin trust \.\/x\.js/,
  );
  assert.equal(await ran(project), false);
  const listed = await project.mm(["plugin", "list", "--json"]);
  const x = JSON.parse(listed.stdout).at(-1);
  assert.equal(x.trusted, false);
  assert.deepEqual(x.usedBy, ["plugins.0"]);
  assert.equal(await ran(project), false);

  const blind = await project.mm(["plugin", "trust"]);
  assert.equal(blind.code, 2);
  assert.match(blind.stderr, /without asking: read it, then add --yes/);
  assert.equal((await project.mm(["plugin", "trust", "--yes"])).code, 0);
  assert.equal(await ran(project), false);
  const { code, stderr } = await project.mm(["run", "hello"]);
  assert.equal(code, 0, stderr);
  assert.equal(await ran(project), true);

  await project.write("x.js", tool("x", "// changed"));
  await Deno.remove(project.path("ran"));
  assert.equal((await project.mm(["run", "hello"])).code, 2);
  assert.equal(await ran(project), false);
});

Deno.test("trust is kept in private files", async () => {
  await using project = await Project.make({ "x.js": tool("x") });
  await project.mm(["plugin", "trust", "x.js", "--yes"]);
  const folder = project.path(".home/.local/state/mm/plugins");
  const [file] = await Array.fromAsync(Deno.readDir(folder));
  assert.match(file!.name, /^[0-9a-f]{64}\.js$/);
  assert.equal((await Deno.stat(folder)).mode! & 0o777, 0o700);
  const { mode } = await Deno.stat(join(folder, file!.name));
  assert.equal(mode! & 0o777, 0o600);
  // What lies there under a wrong name is no trust.
  await Deno.writeTextFile(join(folder, file!.name), "// something else");
  await project.write("agent.yaml", "plugins: [./x.js]\n");
  assert.equal((await project.mm(["run", "hello"])).code, 2);
});

Deno.test("a plugin from outside has the host's own mm", async () => {
  await using project = await Project.make({ "x.js": tool("x") });
  const add = await project.mm(["plugin", "add", "x.js", "--yes"]);
  assert.equal(add.code, 0, add.stderr);
  const { code, stderr } = await project.mm(["run", "hello"], {
    env: { CHECK: "1" },
  });
  assert.equal(code, 1);
  assert.equal(stderr.trim().split("\n").at(-1), "one instance");
});

Deno.test("the example tool of docs/plugins.md is a plugin as its author bundles it", async () => {
  await using project = await Project.make({
    "weather.js": await bundle(await example("weather")),
  });
  const add = await project.mm(["plugin", "add", "./weather.js", "--yes"]);
  assert.equal(add.code, 0, add.stderr);
  const { stdout } = await project.mm(["plugin", "info", "weather.js"]);
  assert.match(stdout, /^\.\/weather\.js \(plugin\)$/m);
  assert.match(stdout, /^From outside, used by plugins\.0$/m);
  const { code, stderr } = await project.mm(["run", "hello"]);
  assert.equal(code, 0, stderr);
});

Deno.test("mm plugin add of a path is written as from the project, and remove takes it out", async () => {
  const text = "# Ours\nmodel: demo # now\n";
  await using project = await Project.make({
    "agent.yaml": text,
    "tools/x.js": tool("x"),
  });
  const cwd = project.path("tools");
  const env = { HOME: project.path(".home") };
  const add = await project.mm(["plugin", "add", "./x.js", "-y"], { cwd, env });
  assert.equal(add.code, 0, add.stderr);
  const file = project.path("agent.yaml");
  assert.equal(
    await Deno.readTextFile(file),
    `${text}\nplugins:\n  - ./tools/x.js\n`,
  );
  assert.equal((await project.mm(["run", "hello"])).code, 0);
  const remove = await project.mm(["plugin", "remove", "tools/x.js"]);
  assert.equal(remove.code, 0, remove.stderr);
  assert.equal(await Deno.readTextFile(file), text);
});

Deno.test("a broken plugin is told about by name and the rest works", async () => {
  const broken: Record<string, [code: string, why: RegExp]> = {
    "throws.js": [
      `throw new Error("no luck");`,
      /importing it failed: no luck/,
    ],
    "shape.js": ["export const plugin = 1;", /exports no "plugin"/],
    "kind.js": [
      `export default { kind: "cat", name: "x", options: ${NO_OPTIONS} };`,
      /its kind "cat" is not one of store/,
    ],
    "clash.js": [tool("json"), /the name of a built-in plugin/],
    "hangs.js": [
      "await new Promise(() => {});",
      /not done importing after 5 s/,
    ],
    "loops.js": ["while (true);", /not done importing after 5 s/],
    "newer.js": [
      `export default { apiVersion: 2 };`,
      /made for version 2 of the plugin API, this mm knows 1: upgrade mm/,
    ],
    "older.js": [
      `import * as mm from "mm";
      export const plugin = mm.definePlugin({
        name: "older", apiVersion: 0, options: ${NO_OPTIONS}, open: () => ({}),
      });`,
      /made for version 0 of the plugin API, this mm takes 1 at least/,
    ],
    "odd.js": [
      `export default { apiVersion: "1" };`,
      /its apiVersion "1" is no whole number/,
    ],
    "big.js": [`export default { apiVersion: 1n };`, /its apiVersion 1 is no/],
    "getter.js": [
      `export default { get kind() { throw new Error("no look"); } };`,
      /looking at it failed: no look/,
    ],
    "zod.js": [
      `export default { kind: "plugin", name: "z", options: { _zod: 1 }, open() {} };`,
      /its options are no schema of zod 4/,
    ],
    "textless.js": [
      `throw { toString() { throw 1; } };`,
      /importing it failed: Unknown error/,
    ],
    "exits.js": ["Deno.exit(0);", /importing it ends the program/],
    "opens.js": [
      opening(`throw new TypeError("no start")`),
      /starting it failed: no start/,
    ],
    "nothing.js": [opening(""), /its open gives no object/],
    "tools.js": [opening(`return { tools: 5 }`), /its tools are no list/],
    "tool.js": [
      opening(`return { tools: [{ name: "a b" }] }`),
      /its tool "a b" needs a name of letters/,
    ],
    "schema.js": [
      opening(
        `return { tools: [{
          name: "when", description: "", input: ${NO_OPTIONS}, plan() {}, run() {},
        }] }`,
      ),
      /Cannot offer tool "when": its input has no JSON Schema/,
    ],
    "command.js": [
      opening(`return { commands: [{ name: "x", summary: "x" }] }`),
      /its command x has no function run/,
    ],
    "split.js": [`import "./other.js";`, /it is not self-contained/],
    "syntax.js": ["export const = 1;", /importing it failed/],
  };
  const names = Object.keys(broken);
  await using project = await Project.make({
    "agent.yaml": `plugins: [${names.map((n) => `./${n}`)}, ./good.js]\n`,
    "other.js": `Deno.writeTextFileSync("other", "ran");`,
    "good.js": tool("good"),
    ...Object.fromEntries(names.map((n) => [n, broken[n]![0]])),
  });
  assert.equal((await project.mm(["plugin", "trust", "-y"])).code, 0);
  const { code, stdout, stderr } = await project.mm(["run", "hello"]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /demo model/);
  for (const [name, [, why]] of Object.entries(broken)) {
    const line = stderr.split("\n").find((l) => l.includes(`"./${name}"`));
    assert.match(line ?? "", why);
    assert.match(line ?? "", /mm goes on without it/);
  }
  assert.equal(await ran(project), true);
  await assert.rejects(Deno.stat(project.path("other")));
});

Deno.test("what a plugin prints is not on stdout, and its late errors bear its name", async () => {
  const code = (open: string) => `console.log("noise"); ${opening(open)}`;
  await using project = await Project.make({
    "agent.yaml": "plugins: [./x.js]\n",
    "x.js": code("console.table([1]); return {}"),
  });
  await project.mm(["plugin", "trust", "-y"]);
  const { code: done, stdout, stderr } = await project.mm([
    "run",
    "--json",
    "hello",
  ]);
  assert.equal(done, 0, stderr);
  for (const line of stdout.trim().split("\n")) JSON.parse(line);
  assert.match(stderr, /noise/);

  await project.write(
    "x.js",
    code(`setTimeout(() => { throw new Error("later"); }); return {}`),
  );
  await project.mm(["plugin", "trust", "-y"]);
  const late = await project.mm(["run", "run sleep 1"]);
  assert.equal(late.code, 1);
  assert.match(
    late.stderr,
    /Plugin "\.\/x\.js" failed: later \(mm plugin remove \.\/x\.js does without it\)/,
  );
});

Deno.test("a plugin that never answers, or answers with nonsense, is named", async () => {
  const store = (extra: string) => `
import * as mm from "mm";
const store = {
  name: "s", supports: {}, read: async () => undefined, list: async () => ({ items: [] }),
  append: async () => {}, move: async () => {}, remove: async () => {},
  async [Symbol.asyncDispose]() {}, ${extra}
};
export const plugin = mm.defineStore({ name: "s", options: ${NO_OPTIONS}, open: () => store });`;
  const cases: [code: string, why: RegExp][] = [
    [
      store("list: () => new Promise(() => {})"),
      /^Cannot go on: plugin "\.\/x\.js" never answers$/,
    ],
    [store("supports: undefined"), /its store does not say what it supports/],
    [store("move: 1"), /its store has no method move/],
    [
      store("[Symbol.asyncDispose]: undefined"),
      /its store has no method \[Symbol\.asyncDispose\]/,
    ],
    [store("name: 1"), /its store has no name/],
  ];
  for (const [code, why] of cases) {
    await using project = await Project.make({
      "agent.yaml": "sessions: { store: ./x.js }\n",
      "x.js": code,
    });
    await project.mm(["plugin", "trust", "-y"]);
    const { stderr } = await project.mm(["sessions", "list"]);
    assert.match(stderr.trim(), why);
  }
  await using project = await Project.make({
    "agent.yaml": "plugins: [./x.js]\n",
    "x.js": opening("return { context: () => 5 }"),
  });
  await project.mm(["plugin", "trust", "-y"]);
  const { code, stderr } = await project.mm(["run", "hello"]);
  assert.equal(code, 1);
  assert.match(stderr, /"\.\/x\.js": its context gives no list of messages/);
});

Deno.test("a plugin that never opens is given up, whatever it is", async () => {
  const plugin = definePlugin({
    name: "x",
    options: strictObject({}),
    open: () => new Promise<never>(() => {}),
  });
  const lines: string[] = [];
  const patience = 20;
  const given = guarded("./x.js", plugin, {
    patience,
    tell: (line) => lines.push(line),
  }) as BundlePlugin;
  assert.deepEqual(await given.open({}, {} as PluginHost), {});
  const why =
    'Cannot use plugin "./x.js": it is not done starting after 0.02 s';
  assert.deepEqual(lines, [`${why}; mm goes on without it`]);
  const store = guarded("./x.js", { ...plugin, kind: "store" } as never, {
    patience,
    tell: assert.fail,
  }) as StorePlugin;
  await assert.rejects(
    async () => await store.open({}, {} as PluginHost),
    { message: why },
  );
});

Deno.test("a plugin is tried in a thread once, and states the version of the API", async () => {
  const code = `
import * as mm from "mm";
const thread = typeof WorkerGlobalScope !== "undefined" && self instanceof WorkerGlobalScope;
Deno.writeTextFileSync("ran", thread ? "thread " : "main ", { append: true });
export const plugin = mm.definePlugin({
  name: "x",
  apiVersion: mm.API_VERSION,
  options: ${NO_OPTIONS},
  open: () => ({}),
});`;
  await using project = await Project.make({
    "agent.yaml": "plugins: [./x.js]\n",
    "x.js": code,
  });
  assert.equal((await project.mm(["plugin", "trust", "-y"])).code, 0);
  assert.equal(await ran(project), false);
  for (const _ of [1, 2]) {
    assert.equal((await project.mm(["run", "hello"])).code, 0);
  }
  const traces = await Deno.readTextFile(project.path("ran"));
  assert.equal(traces, "thread main main ");
});

Deno.test("a broken plugin that is the store is a configuration error", async () => {
  await using project = await Project.make({
    "agent.yaml": "sessions: { store: ./x.js }\n",
    "x.js": `throw new Error("no luck");`,
  });
  await project.mm(["plugin", "trust", "-y"]);
  for (const args of [["run", "hello"], ["sessions", "list"]]) {
    const { code, stderr } = await project.mm(args);
    assert.equal(code, 2, stderr);
    assert.match(
      stderr,
      /Cannot use plugin "\.\/x\.js": importing it failed: .*; mm plugin remove \.\/x\.js does without it$/m,
    );
  }
});

Deno.test("nothing runs of a cloned project's plugins, and the message says what to do", async () => {
  const hostile: Record<string, RegExp> = {
    "../../../../../../etc/passwd": /expected an ES module/,
    "/dev/zero.js": /there is no file/,
    "./pipe.js": /it is not a file/,
    "https://plugins.invalid/x.js": /neither a path nor npm:<package>/,
    "file:///tmp/x.js": /neither a path nor npm:<package>/,
    "data:text/javascript,Deno.exit(7)": /neither a path nor npm:<package>/,
    "jsr:@x/y": /neither a path nor npm:<package>/,
    "./x.ts": /deno bundle --external mm -o \.\/x\.js \.\/x\.ts/,
    "./x.js": /mm plugin trust \.\/x\.js/,
    "npm:pinned": /mm plugin trust npm:pinned/,
    "npm:unpinned": /mm plugin add npm:unpinned/,
  };
  await using project = await Project.make({
    "x.js": tool("x"),
    "x.ts": tool("x"),
    "mm.lock": JSON.stringify({
      version: 1,
      plugins: {
        "npm:pinned": {
          version: "1.0.0",
          integrity: "sha512-x",
          module: "index.js",
          sha256: "0".repeat(64),
        },
      },
    }),
  });
  await new Deno.Command("mkfifo", { args: [project.path("pipe.js")] })
    .output();
  for (const [name, why] of Object.entries(hostile)) {
    for (const key of ["plugins", "store"]) {
      const value = JSON.stringify(name);
      await project.write(
        "agent.yaml",
        key === "store"
          ? `sessions: { store: ${value} }\n`
          : `plugins: [${value}]\n`,
      );
      const { code, stderr } = await project.mm(["run", "hello"]);
      assert.equal(code, 2, `${name}: ${stderr}`);
      assert.match(stderr, why);
      assert.equal(await ran(project), false);
    }
  }
});

async function ran(project: Project): Promise<boolean> {
  try {
    await Deno.stat(project.path("ran"));
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
