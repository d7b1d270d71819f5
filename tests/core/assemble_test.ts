import assert from "node:assert/strict";
import { assemble, type Parts } from "../../core/assemble.ts";
import { checkConfig, type ConfigInput } from "../../core/config.ts";
import type { Message } from "../../core/message.ts";
import { MemoryStore } from "../../core/memory_store.ts";
import {
  defineModel,
  definePlugin,
  defineStore,
  type PluginTable,
} from "../../core/plugin.ts";
import { optional, strictObject, string } from "zod/mini";
import { plugins } from "../../plugins/table.ts";
import { defineTool, type Tool } from "../../core/tool.ts";

function echo(name: string): Tool {
  return defineTool({
    name,
    description: "Says it again",
    kind: "other",
    input: strictObject({}),
    plan: () => ({ title: name, access: "auto" }),
    run: () => Promise.resolve({ content: name }),
  });
}

const served: unknown[] = [];

const table: PluginTable = {
  demo: plugins["demo"]!,
  json: plugins["json"]!,
  coding: () =>
    Promise.resolve(definePlugin({
      name: "coding",
      options: strictObject({}),
      open: () => ({ tools: [echo("one"), echo("two")] }),
    })),
  mcp: () =>
    Promise.resolve(definePlugin({
      name: "mcp",
      options: strictObject({ word: optional(string()) }),
      open: (options) => ({
        serve(request) {
          served.push([options, request]);
          return Promise.resolve({
            tools: [echo("three"), echo("four")],
            problems: [],
            [Symbol.asyncDispose]: () => Promise.resolve(),
          });
        },
      }),
    })),
};

function parts(config: ConfigInput): Parts {
  return {
    config: checkConfig({ sessions: { enabled: false }, ...config }),
    plugins: table,
    host: {
      project: "/project",
      env: () => undefined,
      version: "0",
      commands: [],
      now: () => new Date(),
    },
  };
}

Deno.test("assemble() gives every agent the standard bundles, options of `mcp:` included", async () => {
  served.length = 0;
  await using agent = await assemble(parts({ mcp: { word: "hi" } }));
  assert.deepEqual(agent.tools.map((t) => t.name), ["one", "two"]);
  const session = agent.create({ roots: ["/elsewhere"] });
  await session.connect();
  assert.deepEqual(served, [[{ word: "hi" }, {
    servers: [],
    cwd: "/elsewhere",
  }]]);
});

Deno.test("assemble() leaves out the tools that are off, those of servers included", async () => {
  await using agent = await assemble(
    parts({
      model: { use: "demo", delay: 0 },
      tools: { off: ["two", "four"] },
    }),
  );
  assert.deepEqual(agent.tools.map((t) => t.name), ["one"]);
  const session = agent.create();
  const offered: string[] = [];
  session.settings.model = {
    name: "spy",
    // deno-lint-ignore require-yield -- it has nothing to say
    async *stream({ tools }) {
      offered.push(...tools.map((t) => t.name));
      return await Promise.resolve({ content: "ok", stopReason: "end_turn" });
    },
  };
  await session.prompt("hello");
  assert.deepEqual(offered, ["one", "three"]);
});

Deno.test("assemble() refuses `mcp:` beside a plugin `mcp`", async () => {
  await assert.rejects(
    assemble(parts({ mcp: {}, plugins: ["mcp"] })),
    /mcp: its servers stand under plugins too: keep one of the two/,
  );
});

Deno.test("assemble() names a plugin that is not there, the nearest one, and a plugin of another kind", async () => {
  const wrong: [ConfigInput, RegExp][] = [
    [
      { model: "deom" },
      /model: there is no plugin "deom": did you mean "demo"\?/,
    ],
    [
      { plugins: [{ use: "xyz" }] },
      /plugins\.0\.use: there is no plugin "xyz"/,
    ],
    [
      { model: "json" },
      /model: "json" is a store, not a model: choose one of demo$/,
    ],
    [
      { compaction: { use: "nope" } },
      /compaction\.use: there is no plugin "nope": choose one of summary$/,
    ],
    [{ plugins: ["xyz"] }, /choose one of coding, mcp$/],
    [{ model: "DEMO" }, /there is no plugin "DEMO": did you mean "demo"\?$/],
    [{ model: "constructor" }, /there is no plugin "constructor"/],
    [{ mcp: { wrod: 1 } }, /mcp\.wrod: unknown key, did you mean "word"\?/],
  ];
  for (const [config, message] of wrong) {
    await assert.rejects(assemble(parts(config)), message);
  }
});

Deno.test("assemble() tells where the options stand that a plugin finds wrong", async () => {
  const openai = plugins["openai"]!;
  const wrong = parts({ model: { use: "openai", apiKey: "a\nb" } });
  await assert.rejects(
    assemble({ ...wrong, plugins: { ...table, openai } }),
    /^ConfigError: Cannot read the configuration: model: Cannot send header "authorization"/,
  );
});

Deno.test("assemble() leaves out tools and commands whose name is taken, and tells so", async () => {
  const command = (name: string) => ({ name, summary: name, run: () => {} });
  class Hooked {
    tools = [echo("one"), echo("fresh")];
    commands = [command("help"), command("mine")];
    asked = "";
    context(messages: readonly Message[]) {
      this.asked = "yes";
      return messages;
    }
  }
  const bundle = new Hooked();
  const made = parts({ plugins: ["hooked"] });
  const plugins = {
    ...table,
    hooked: () =>
      Promise.resolve(definePlugin({
        name: "hooked",
        options: strictObject({}),
        open: () => bundle,
      })),
  };
  const lines: string[] = [];
  await using agent = await assemble({
    ...made,
    plugins,
    leftOut: (line) => lines.push(line),
  });
  assert.deepEqual(agent.tools.map((t) => t.name), ["one", "two", "fresh"]);
  assert.deepEqual(lines, [
    'Left out tool "one" of plugin "hooked": the name is taken',
    'Left out command "help" of plugin "hooked": the name is taken',
  ]);
  // The hooks of a class are hooks, too.
  await agent.create().prompt("hello");
  assert.equal(bundle.asked, "yes");
  await assert.rejects(assemble({ ...made, plugins }), {
    name: "ConfigError",
    message: lines[0]!,
  });
});

Deno.test("assemble() that fails has no store open", async () => {
  let open = 0;
  class Counted extends MemoryStore {
    override [Symbol.asyncDispose](): Promise<void> {
      open--;
      return super[Symbol.asyncDispose]();
    }
  }
  const store = defineStore({
    name: "counted",
    options: strictObject({}),
    open: () => (open++, new Counted()),
  });
  const broken = defineModel({
    name: "broken",
    options: strictObject({}),
    open: () => Promise.reject(new Error("no such key")),
  });
  const clashing = definePlugin({
    name: "clashing",
    options: strictObject({}),
    open: () => ({ tools: [echo("one")] }),
  });
  const all = {
    ...parts({ sessions: { store: "counted" } }),
    plugins: {
      ...table,
      counted: () => Promise.resolve(store),
      broken: () => Promise.resolve(broken),
      clashing: () => Promise.resolve(clashing),
    },
  };
  const configs: ConfigInput[] = [{ model: "broken" }, {
    plugins: ["clashing"],
  }];
  for (const config of configs) {
    const sessions = { store: "counted" };
    await assert.rejects(
      assemble({ ...all, config: checkConfig({ sessions, ...config }) }),
      /no such key|the name is taken/,
    );
    assert.equal(open, 0);
  }
  await (await assemble(all))[Symbol.asyncDispose]();
  assert.equal(open, 0);
});
