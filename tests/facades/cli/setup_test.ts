import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "yaml";
import { toJSONSchema } from "zod/v4/core";
import { detect } from "../../../facades/cli/detect.ts";
import { initText } from "../../../facades/cli/init_text.ts";
import { notHere } from "../../../facades/cli/not_here.ts";
import { CONFIG_KEYS } from "../../../facades/cli/config_keys.ts";
import { plugins } from "../../../plugins/table.ts";
import { ChatServer } from "./chat_server.ts";
import { Project } from "./project.ts";

Deno.test("detect() finds the servers that answer in time with a model, in order", async () => {
  await using chat = new ChatServer();
  const silent = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = silent.addr as Deno.NetAddr;
  const deaf = { name: "silent", baseURL: `http://127.0.0.1:${port}/v1` };
  assert.deepEqual(await detect(300, [deaf]), []);
  silent.close();
  const found = await detect(60_000, [
    { name: "refused", baseURL: "http://127.0.0.1:2/v1" },
    { name: "no socket", baseURL: "unix:///nowhere/x.sock:/v1" },
    { name: "chat", baseURL: chat.url },
  ]);
  assert.deepEqual(found, [{
    name: "chat",
    baseURL: chat.url,
    models: ["tiny", "big"],
  }]);
});

Deno.test("mm init writes an agent.yaml that mm itself reads, and overwrites none unasked", async () => {
  await using project = await Project.make();
  await using server = new ChatServer();
  const env = { MM_MODEL: "" };
  const args = ["init", "--base-url", server.url, "--model", "odd: name"];
  const { code, stderr } = await project.mm(args, { env });
  assert.deepEqual([code, stderr], [
    0,
    "Wrote agent.yaml: odd: name on the server you named\n",
  ]);
  const text = await Deno.readTextFile(project.path("agent.yaml"));
  assert.deepEqual(parse(text), {
    model: { use: "openai", name: "odd: name", baseURL: server.url },
  });
  assert.equal((await project.mm(["run", "hi"], { env })).code, 0);
  assert.equal(server.requests[0]?.model, "odd: name");
  const again = await project.mm(args, { env });
  assert.equal(again.code, 2);
  assert.match(
    again.stderr,
    /^Cannot write agent.yaml: it is there already; overwrite it by --force/,
  );
  assert.equal(
    (await project.mm(["init", "--force"], { env: { MM_MODEL: "demo" } })).code,
    0,
  );
  assert.deepEqual(parse(await Deno.readTextFile(project.path("agent.yaml"))), {
    model: "demo",
  });
});

Deno.test("mm init --print writes nothing", async () => {
  await using project = await Project.make();
  const { code, stdout } = await project.mm(["init", "--print"]);
  assert.equal(code, 0);
  assert.deepEqual(parse(stdout), { model: "demo" });
  assert.throws(
    () => Deno.statSync(project.path("agent.yaml")),
    Deno.errors.NotFound,
  );
});

Deno.test("mm init leaves the model open where it finds none, and refuses one that is nowhere", async () => {
  const text = initText({ about: "nothing", others: [] });
  assert.equal(parse(text), null);
  assert.match(text, /^# Without this key: a server that runs/m);
  await using project = await Project.make();
  const env = { MM_MODEL: "", OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "" };
  const { code, stderr } = await project.mm(["init", "--model", "nope"], {
    env,
  });
  assert.equal(code, 2);
  assert.match(stderr, /^Cannot find model "nope" on this machine: /);
});

Deno.test("notHere() names the nearest model, or those there are", () => {
  const servers = [{ name: "x", baseURL: "http://x", models: ["qwen3:8b"] }];
  const told = (name: string, found = servers) =>
    notHere(name, found).message.replace(/^.*machine: /, "");
  assert.equal(told("qwen3:8"), 'did you mean "qwen3:8b"?');
  assert.equal(told("llama"), "there is qwen3:8b; or give --base-url");
  assert.equal(
    told("llama", []),
    "no model server answers; start it, or give --base-url",
  );
});

Deno.test("mm doctor fails on what is wrong, and says what", async () => {
  await using server = new ChatServer();
  await using project = await Project.make();
  const doctor = async (...args: string[]) => {
    const { code, stdout } = await project.mm(["doctor", "--json", ...args]);
    const { ok, checks } = JSON.parse(stdout);
    assert.equal(ok, code === 0);
    return { code, bad: checks.filter((c: Check) => c.status !== "ok") };
  };
  assert.deepEqual(await doctor("--base-url", server.url, "--model", "tiny"), {
    code: 0,
    bad: [],
  });
  // Without a name the server's first model answers.
  const unnamed = ["doctor", "--base-url", server.url];
  const first = await project.mm(unnamed, { env: { MM_MODEL: "" } });
  assert.match(first.stdout, /^ok +model +the server's first at \S+; it has/m);
  const model = await doctor("--base-url", server.url, "--model", "nope");
  assert.equal(model.code, 1);
  assert.match(model.bad[0].detail, /does not have "nope"; it has tiny, big/);
  const down = await doctor(
    "--base-url",
    "http://127.0.0.1:2/v1",
    "--model",
    "tiny",
  );
  assert.equal(down.code, 1);
  await project.ask("hi");
  await project.write(".mm/sessions/20200101-000000-0badbad0.json", "{");
  await project.write(
    ".mm/sessions/.20200101-000000-0badbad0.1.abcdef01.tmp",
    "{",
  );
  const kept = await doctor("--base-url", server.url, "--model", "tiny");
  assert.equal(kept.code, 1);
  assert.deepEqual(kept.bad.map((c: Check) => [c.name, c.status]), [[
    "sessions",
    "fail",
  ], ["store", "warn"]]);
  await project.write("agent.yaml", "modl: demo\n");
  const config = await project.mm(["doctor"]);
  assert.equal(config.code, 1);
  assert.match(
    config.stdout,
    /^FAIL +configuration +Cannot read agent.yaml:1: modl: unknown key, did you mean "model"\?$/m,
  );
});

interface Check {
  readonly name: string;
  readonly status: string;
}

Deno.test("mm schema takes what mm takes and refuses what it refuses, options of plugins too", async () => {
  await using project = await Project.make();
  const { code, stdout } = await project.mm(["schema"]);
  assert.equal(code, 0);
  const check = new Ajv2020({ strict: false }).compile(JSON.parse(stdout));
  const takes = [
    {},
    { model: "demo" },
    {
      model: {
        use: "openai",
        name: "x",
        baseURL: "http://x/v1",
        temperature: 0,
      },
    },
    {
      sessions: { enabled: false },
      approvals: { mode: "edit", commands: ["git status"] },
    },
    { mcp: { servers: { files: { command: "x" } }, timeout: 5 } },
    { compaction: { at: 0.5 }, tools: { off: ["shell"] }, plugins: [] },
  ];
  for (const value of takes) {
    assert.ok(check(value), JSON.stringify([value, check.errors]));
  }
  const refuses = [
    { modle: "demo" },
    { model: "nope" },
    { model: { use: "openai", bseURL: "x" } },
    { approvals: { mode: "maybe" } },
    { mcp: { server: {} } },
    { compaction: { keepTurns: 0 } },
  ];
  for (const value of refuses) assert.ok(!check(value), JSON.stringify(value));
});

Deno.test("docs/configuration.md describes every key in the words of mm schema, and names every option", async () => {
  const docs = (await Deno.readTextFile("docs/configuration.md"))
    .replaceAll(/\s+/g, " ");
  for (const [key, words] of Object.entries(CONFIG_KEYS)) {
    assert.ok(docs.includes(`\`${key}\``), key);
    assert.ok(docs.includes(words), words);
  }
  for (const load of Object.values(plugins)) {
    const { name, options } = await load();
    const { properties = {} } = toJSONSchema(options, {
      io: "input",
      unrepresentable: "any",
    });
    for (const option of Object.keys(properties)) {
      assert.ok(docs.includes(`\`${option}\``), `${name}: ${option}`);
    }
  }
});
