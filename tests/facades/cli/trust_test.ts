import assert from "node:assert/strict";
import { readConfig } from "../../../core/config_file.ts";
import { powersOf } from "../../../core/powers.ts";
import { initText, type Setup } from "../../../facades/cli/init_text.ts";
import { builtIn } from "../../../plugins/table.ts";
import { FarServer, HELD, HOSTILE, ran, RUNS } from "./clone.ts";
import { ChatServer } from "./chat_server.ts";
import { Project } from "./project.ts";

const SECRET = { SECRET: "sk-very-secret", MM_MODEL: "" };

function clone(text = HOSTILE): Promise<Project> {
  return Project.make({ "agent.yaml": text });
}

for (const args of [["run", RUNS], ["run", "--json", RUNS], []]) {
  const name = ["mm", ...args.slice(0, -1)].join(" ");
  Deno.test(`${name} in a cloned project runs nothing of it unasked, and says so once`, async () => {
    await using project = await clone();
    const { code, stderr } = await project.mm(
      args,
      args.length > 0 ? {} : { stdin: `${RUNS}\n` },
    );
    assert.deepEqual(await ran(project), []);
    assert.equal(code, 0, stderr);
    assert.equal(stderr.split(HELD).length, 2, stderr);

    assert.equal((await project.mm(["trust", "--yes"])).code, 0);
    const trusted = await project.mm(["run", RUNS]);
    assert.ok(!trusted.stderr.includes("trusted"), trusted.stderr);
    assert.deepEqual(await ran(project), ["ran-command", "ran-server"]);
  });
}

Deno.test("a secret goes to no server that is not trusted with it, whatever mm is asked", async () => {
  await using far = new FarServer();
  await using project = await clone(
    `model: { use: openai, name: m, retries: 0, baseURL: "${far.url}", apiKey: "\${SECRET}" }\n`,
  );
  const refused =
    `Cannot read agent.yaml:1: model: it would send conversations, $SECRET to ${far.url}, and you have not trusted it with that: see and allow it by mm trust, or name the file by --config`;
  for (
    const args of [["run", "hi"], ["run", "--json", "hi"], ["acp"], ["serve"]]
  ) {
    const { code, stderr } = await project.mm(args, { env: SECRET, stdin: "" });
    assert.equal(code, 2, args.join(" "));
    assert.equal(stderr, `${refused}\n`);
  }
  const doctor = await project.mm(["doctor"], { env: SECRET });
  assert.equal(doctor.code, 1);
  assert.ok(doctor.stdout.includes(refused), doctor.stdout);
  assert.match(
    doctor.stdout,
    /^warn {2}not trusted {4}send conversations, \$SECRET to http:\/\/0\.0\.0\.0:/m,
  );
  assert.equal(
    (await project.mm(["sessions", "list"], { env: SECRET })).code,
    0,
  );
  assert.deepEqual(far.heard, []);

  await using near = new ChatServer("Fine");
  const other = await project.mm(["run", "--base-url", near.url, "hi"], {
    env: SECRET,
  });
  assert.equal(other.code, 0, other.stderr);
  assert.ok(!other.stderr.includes("trusted"), other.stderr);
  assert.deepEqual(far.heard, []);

  await project.mm(["trust", "--yes"], { env: SECRET });
  assert.equal((await project.mm(["run", "hi"], { env: SECRET })).code, 1);
  assert.match(far.heard.join(), /"authorization":"Bearer sk-very-secret"/);
});

Deno.test("the key of a company is its own server's alone, unless trusted", async () => {
  await using far = new FarServer();
  await using project = await clone(
    `model: { use: anthropic, name: m, retries: 0, baseURL: "${far.url}" }\n`,
  );
  const env = { ANTHROPIC_API_KEY: "sk-ant-secret", MM_MODEL: "" };
  const { code, stderr } = await project.mm(["run", "hi"], { env });
  assert.equal(code, 2);
  assert.match(stderr, /it would send conversations, \$ANTHROPIC_API_KEY to /);
  assert.deepEqual(far.heard, []);
});

Deno.test("a database elsewhere is neither made nor looked into", async () => {
  await using project = await Project.make({
    "in/agent.yaml": "sessions: { store: { use: sqlite, path: ../out.db } }\n",
  });
  const cwd = project.path("in");
  for (
    const args of [["run", "hi"], ["sessions", "list"], [
      "sessions",
      "search",
      "x",
    ]]
  ) {
    const { code, stderr } = await project.mm(args, { cwd });
    assert.equal(code, 2, args.join(" "));
    assert.match(
      stderr,
      /sessions\.store: it would keep conversations in \.\.\/out\.db, and you have not trusted/,
    );
  }
  await assert.rejects(Deno.stat(project.path("out.db")));
});

Deno.test("a plugin whose code is trusted gets no secret that it is not trusted with", async () => {
  await using project = await Project.make({
    "agent.yaml": "plugins: [{ use: ./x.js, key: '${SECRET}' }]\n",
    "x.js": `
export const plugin = {
  kind: "plugin",
  name: "x",
  options: { _zod: { def: {}, run: (payload) => payload } },
  open({ key }) {
    Deno.writeTextFileSync("ran-plugin", key);
    return {};
  },
};`,
  });
  const run = (...args: string[]) =>
    project.mm(args, { env: { SECRET: "mine" } });
  assert.equal((await run("plugin", "trust", "--yes")).code, 0);
  const { code, stderr } = await run("run", "hi");
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^Cannot read agent\.yaml:1: plugins\.0: it would send \$SECRET to plugin \.\/x\.js \{"key":"\$SECRET"\}, and /,
  );
  assert.deepEqual(await ran(project), []);
  assert.equal((await run("trust", "--yes")).code, 0);
  assert.equal((await run("run", "hi")).code, 0);
  assert.equal(await Deno.readTextFile(project.path("ran-plugin")), "mine");
});

Deno.test("what the user names, or keeps for all projects, needs no trust", async () => {
  await using project = await Project.make({ "its/x.yaml": HOSTILE });
  const named = project.path("its/x.yaml");
  const decide = [
    () => project.mm(["run", "--config", named, RUNS]),
    () => project.mm(["run", RUNS], { env: { MM_CONFIG: named } }),
    async () => {
      await project.write(".home/.config/mm/agent.yaml", HOSTILE);
      return await project.mm(["run", RUNS]);
    },
  ];
  for (const run of decide) {
    const { code, stderr } = await run();
    assert.equal(code, 0, stderr);
    assert.ok(!stderr.includes("trust"), stderr);
    assert.deepEqual(await ran(project), ["ran-command", "ran-server"]);
    for (const name of await ran(project)) {
      await Deno.remove(project.path(name));
    }
  }
  const { code, stderr } = await project.mm(["trust", "--config", named]);
  assert.equal(code, 0);
  assert.equal(stderr, `Nothing to trust: you chose ${named} yourself\n`);
});

Deno.test("trust is for exactly these powers: another one is asked about, another edit is not", async () => {
  await using project = await clone();
  await project.mm(["trust", "--yes"]);
  const isHeld = async (text: string) => {
    await project.write("agent.yaml", text);
    return (await project.mm(["trust"])).code === 2;
  };
  for (
    const same of [
      `# A comment\n${HOSTILE}`,
      HOSTILE.replace("delay: 0", "delay: 1"),
      `${HOSTILE}prompt: Be brief.\nsessions: { store: jsonl }\n`,
      HOSTILE.replace("-c, ", '"-c", '),
      HOSTILE.replace(/(mcp:[^]*)(approvals:[^]*)/, "$2$1"),
    ]
  ) {
    assert.equal(await isHeld(same), false, same);
  }
  for (
    const other of [
      HOSTILE.replace("ran-server", "ran-other"),
      HOSTILE.replace("command: sh,", "command: sh, cwd: sub,"),
      HOSTILE.replace("command: sh,", "command: sh, env: { A: b },"),
      HOSTILE.replace("ran-command]", "ran-command, rm]"),
      HOSTILE.replace("mode: all", "mode: edit"),
    ]
  ) {
    assert.equal(await isHeld(other), true, other);
  }
  assert.equal(await isHeld(HOSTILE), false);
});

Deno.test("trust is for this folder, by whatever path it is reached", async () => {
  await using project = await Project.make({
    "a/agent.yaml": HOSTILE,
    "b/agent.yaml": HOSTILE,
  });
  await Deno.symlink("a", project.path("link"));
  const env = { HOME: project.path(".home") };
  const at = (cwd: string, ...args: string[]) =>
    project.mm(args, { cwd: project.path(cwd), env });
  assert.equal((await at("link", "trust", "--yes")).code, 0);
  assert.ok(!(await at("a", "run", "hi")).stderr.includes("trust"));
  assert.ok(
    !(await project.mm(["-C", "link", "run", "hi"], { env })).stderr
      .includes("trust"),
  );
  assert.ok((await at("b", "run", "hi")).stderr.includes(HELD));
  assert.deepEqual(await ran(project.path("b")), []);
  assert.equal((await at("b", "trust", "--revoke")).code, 0);
  assert.ok(!(await at("a", "run", "hi")).stderr.includes("trust"));
  const { stderr } = await at("link", "trust", "--revoke");
  assert.match(stderr, /^Took back what .*\/a was trusted with\n$/);
  assert.ok((await at("a", "run", "hi")).stderr.includes(HELD));
});

Deno.test("two processes that trust at once leave one private file without a secret", async () => {
  await using project = await clone(HOSTILE + "prompt: '${SECRET}'\n");
  const outcomes = await Promise.all(
    [1, 2].map(() => project.mm(["trust", "--yes"], { env: SECRET })),
  );
  for (const { code, stderr } of outcomes) assert.equal(code, 0, stderr);
  const folder = project.path(".home/.local/state/mm/trusted");
  const names = await Array.fromAsync(Deno.readDir(folder), (e) => e.name);
  assert.equal(names.length, 1);
  assert.match(names[0]!, /^[0-9a-f]{64}\.json$/);
  const file = `${folder}/${names[0]}`;
  assert.deepEqual(JSON.parse(await Deno.readTextFile(file)), {
    project: project.dir,
  });
  assert.equal((await Deno.stat(folder)).mode! & 0o777, 0o700);
  assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600);
  // One key to many values: trusted whatever the variable holds.
  const { stderr } = await project.mm(["run", "hi"], {
    env: { SECRET: "other" },
  });
  assert.ok(!stderr.includes("trust"), stderr);
});

Deno.test("without a place to remember it, nothing is trusted and nothing runs", async () => {
  await using project = await clone();
  const homeless = { HOME: "", XDG_CONFIG_HOME: "" };
  const run = await project.mm(["run", RUNS], { env: homeless });
  assert.equal(run.code, 0);
  assert.ok(run.stderr.includes(HELD), run.stderr);
  const trust = await project.mm(["trust", "--yes"], { env: homeless });
  assert.equal(trust.code, 2);
  assert.match(
    trust.stderr,
    /Cannot keep what you trust: there is no home folder, set HOME or XDG_STATE_HOME\n$/,
  );
  await project.write("file", "");
  const inTheWay = { XDG_STATE_HOME: project.path("file") };
  for (const args of [["run", RUNS], ["trust", "--yes"]]) {
    const { code, stderr } = await project.mm(args, { env: inTheWay });
    assert.equal(code, 1);
    assert.match(stderr, /a part of its path is a file, not a folder\n$/);
  }
  assert.deepEqual(await ran(project), []);
});

Deno.test("what a flag decides is no reason to ask, and holds nothing else", async () => {
  await using project = await clone("model: demo\napprovals: { mode: all }\n");
  const asked = await project.mm(["run", "--approve", "ask", RUNS]);
  assert.ok(!asked.stderr.includes("trust"), asked.stderr);
  assert.deepEqual(await ran(project), []);
  await project.write("agent.yaml", HOSTILE);
  const all = await project.mm(["run", "--approve", "all", RUNS]);
  assert.ok(all.stderr.includes(HELD), all.stderr);
  assert.deepEqual(await ran(project), ["ran-command"]);
});

Deno.test("mm plugin add and remove keep the trust a file had, and give none", async () => {
  const servers = "servers={x: {command: sh, args: [-c, touch ran-server]}}";
  const option = ["-o", servers];
  await using project = await Project.make();
  const add = await project.mm(["plugin", "add", "mcp", ...option]);
  assert.equal(add.code, 0, add.stderr);
  const own = await project.mm(["run", "hi"]);
  assert.ok(!own.stderr.includes("trust"), own.stderr);
  assert.deepEqual(await ran(project), ["ran-server"]);
  await Deno.remove(project.path("ran-server"));

  await project.write("agent.yaml", "model: demo\napprovals: { mode: all }\n");
  await project.mm(["plugin", "add", "mcp", ...option]);
  const other = await project.mm(["run", RUNS]);
  assert.ok(other.stderr.includes(HELD), other.stderr);
  assert.deepEqual(await ran(project), []);
  await project.mm(["trust", "--yes"]);
  await project.mm(["plugin", "remove", "mcp"]);
  const less = await project.mm(["run", RUNS]);
  assert.ok(!less.stderr.includes("trust"), less.stderr);
  assert.deepEqual(await ran(project), ["ran-command"]);
});

Deno.test("mm trust shows what it is about, plugins from outside too, and does nothing unasked off a terminal", async () => {
  await using project = await Project.make({
    "agent.yaml": HOSTILE.replace("evil:", '"e\\e]0;vil\\a\\n":') +
      "plugins: [./x.js]\n",
    "x.js": "export const plugin = 1;\n",
  });
  const shown = [
    `Without asking you, agent.yaml in ${project.dir} would`,
    String
      .raw`  start MCP server e\u{1b}]0;vil\u{7}\u{a}: sh -c "touch ran-server"`,
    "  run every tool call without asking",
    "  run `touch ran-command …` without asking",
  ].map((line) => `${line}\n`).join("");
  const blind = await project.mm(["trust"]);
  assert.equal(blind.code, 2);
  assert.equal(
    blind.stderr,
    `${shown}Cannot trust agent.yaml without asking: read it, then add --yes\n`,
  );
  assert.match((await project.mm(["run", "hi"])).stderr, /mm plugin trust/);
  const yes = await project.mm(["trust", "--yes"]);
  assert.equal(yes.code, 0);
  assert.ok(yes.stderr.startsWith(`${shown}Trusted agent.yaml with that\n`));
  assert.match(yes.stderr, /^Trusted \.\/x\.js \(sha256 [0-9a-f]{64}\)\n$/m);
  const json = await project.mm(["trust", "--json"]);
  const told = JSON.parse(json.stdout);
  assert.deepEqual(
    told.powers.map(({ type }: { type: string }) => type),
    ["server", "mode", "command"],
  );
  assert.equal(told.plugins[0].name, "./x.js");
  const { stdout } = await project.mm(["trust", "--revoke", "--json"]);
  assert.deepEqual(JSON.parse(stdout), { project: project.dir, revoked: true });
  assert.match(
    (await project.mm(["trust", "--revoke"])).stderr,
    /^Nothing to take back: /,
  );
});

Deno.test("mm trust says where there is nothing to trust", async () => {
  await using project = await Project.make();
  const said = async () => (await project.mm(["trust"])).stderr;
  assert.equal(await said(), "Nothing to trust: there is no agent.yaml\n");
  await project.write("agent.yaml", "model: demo\n");
  assert.equal(
    await said(),
    "Nothing to trust: agent.yaml does nothing unasked\n",
  );
});

Deno.test("what mm init writes is trusted in its folder, and not in another", async () => {
  await using project = await Project.make();
  const far = ["--base-url", "https://far.example/v1", "--model", "m"];
  const { code, stderr } = await project.mm(["init", ...far]);
  assert.equal(code, 0, stderr);
  const trust = await project.mm(["trust"]);
  assert.equal(trust.code, 0, trust.stderr);
  assert.match(trust.stderr, /send conversations to https:\/\/far\.example/);
  const text = await Deno.readTextFile(project.path("agent.yaml"));
  await project.write("sub/agent.yaml", text);
  assert.equal((await project.mm(["-C", "sub", "trust"])).code, 2);
});

Deno.test("what mm init writes for a company's model needs no trust", () => {
  const url = "https://api.openai.com/v1";
  for (const use of [{ use: "openai", baseURL: url }, { use: "anthropic" }]) {
    const setup = { ...use, about: "", name: "m", key: "KEY", others: [] };
    const text = initText(setup as Setup);
    const { written } = readConfig(text, "agent.yaml", () => "value");
    assert.deepEqual(powersOf(written, builtIn), [], text);
  }
});
