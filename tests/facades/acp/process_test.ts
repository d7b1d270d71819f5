import assert from "node:assert/strict";
import { join } from "node:path";
import { mm } from "../../mm.ts";
import { Child } from "./child.ts";
import { TempDir } from "../../temp_dir.ts";

async function open(child: Child, cwd: string): Promise<string> {
  const { sessionId } = await child.ask("session/new", { cwd, mcpServers: [] });
  return sessionId as string;
}

function prompt(sessionId: string, text: string) {
  return { sessionId, prompt: [{ type: "text", text }] };
}

Deno.test("mm acp leaves with 0 at the end of its input, and says nothing else on stdout (anomalyco/opencode#13634)", async () => {
  await using p = await TempDir.make();
  await using child = await Child.start(p.path);
  const id = await open(child, p.path);
  await child.ask("session/prompt", prompt(id, "count to 3"));
  assert.equal(await child.left(), 0);
  // The demo model's label is for people.
  assert.match(await child.stderr, /demo model/);
});

Deno.test("mm acp at the end of its input in mid-turn saves and leaves with 0", async () => {
  await using p = await TempDir.make();
  await using child = await Child.start(p.path, {
    args: ["--approve", "all"],
  });
  const id = await open(child, p.path);
  await child.send("session/prompt", prompt(id, "run sleep 60"));
  await child.until(() => child.updates("tool_call_update").length > 0);
  assert.equal(await child.left(), 0);
  const file = join(p.path, ".mm/sessions", `${id}.json`);
  const { messages } = JSON.parse(await Deno.readTextFile(file));
  assert.equal(messages.at(-1).status, "cancelled");
  const answer = child.out.find((m) => "stopReason" in Object(m.result));
  assert.deepEqual(answer?.result, { stopReason: "cancelled" });
});

Deno.test("mm acp ends a turn by SIGTERM, saved", async () => {
  await using p = await TempDir.make();
  await using child = await Child.start(p.path, {
    args: ["--approve", "all"],
  });
  const id = await open(child, p.path);
  await child.send("session/prompt", prompt(id, "run sleep 60"));
  await child.until(() => child.updates("tool_call_update").length > 0);
  child.kill("SIGTERM");
  await child.until((m) => "stopReason" in Object(m.result));
  assert.equal(await child.left(), 143);
  const shown = await mm(["sessions", "show", id, "--json"], { cwd: p.path });
  assert.equal(shown.code, 0, shown.stderr);
  assert.ok(shown.stdout.includes("cancelled"));
});

Deno.test("mm acp --log writes a line for each message and none of what it says", async () => {
  await using p = await TempDir.make();
  const log = join(p.path, "mm.log");
  await using child = await Child.start(p.path, { args: ["--log", log] });
  const id = await open(child, p.path);
  await child.ask("session/prompt", prompt(id, "think about secret-words"));
  await child.left();
  assert.equal(await child.stderr, "");
  const text = await Deno.readTextFile(log);
  assert.match(text, /<- initialize id 1\n/);
  assert.match(text, /-> session\/update agent_message_chunk/);
  assert.ok(!text.includes("secret-words"));
  assert.equal((await Deno.stat(log)).mode! & 0o777, 0o600);
});

Deno.test("mm acp --log names the file it cannot open", async () => {
  await using p = await TempDir.make();
  const log = join(p.path, "nowhere/mm.log");
  const { code, stdout, stderr } = await mm(["acp", "--log", log], {
    cwd: p.path,
    stdin: "",
  });
  assert.equal(code, 1);
  assert.equal(stdout, "");
  assert.equal(
    stderr,
    `Cannot write the log "${log}": the folder is gone\n`,
  );
});

Deno.test({
  name: "a log that takes nothing any more ends nothing",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using p = await TempDir.make();
    await using child = await Child.start(p.path, {
      args: ["--log", "/dev/full"],
    });
    const id = await open(child, p.path);
    await child.ask("session/prompt", prompt(id, "count to 3"));
    assert.equal(await child.left(), 0);
  },
});

Deno.test("a project whose configuration is refused is not held by mm acp", async () => {
  await using here = await TempDir.make();
  await using wrong = await TempDir.make();
  const file = join(wrong.path, "agent.yaml");
  await using child = await Child.start(here.path);
  for (const text of ["model: [\n", "sessions: { store: nope }\n"]) {
    await Deno.writeTextFile(file, text);
    await assert.rejects(open(child, wrong.path));
  }
  await Deno.writeTextFile(file, "model: demo\n");
  const add = ["plugin", "add", "sqlite", "--yes"];
  const { code, stderr } = await mm(add, { cwd: wrong.path });
  assert.equal(code, 0, stderr);
});

Deno.test("each project has its own settings and sessions, wherever mm acp was started", async () => {
  await using p = await TempDir.make();
  const [a, b] = [join(p.path, "a"), join(p.path, "b")];
  for (const [dir, mode] of [[a, "read"], [b, "edit"]] as const) {
    await Deno.mkdir(join(dir, "sub"), { recursive: true });
    await Deno.writeTextFile(
      join(dir, "agent.yaml"),
      `model: demo\napprovals: { mode: ${mode} }\n`,
    );
  }
  const env = { HOME: join(p.path, ".home") };
  assert.equal((await mm(["trust", "--yes"], { cwd: b, env })).code, 0);
  await using child = await Child.start(p.path);
  for (const [cwd, mode] of [[join(a, "sub"), "read-only"], [b, "auto-edit"]]) {
    const { sessionId, modes } = await child.ask("session/new", {
      cwd,
      mcpServers: [],
    });
    assert.equal((modes as { currentModeId: string }).currentModeId, mode);
    await child.ask(
      "session/prompt",
      prompt(sessionId as string, "count to 2"),
    );
    const { sessions } = await child.ask("session/list", { cwd });
    assert.deepEqual(
      (sessions as { sessionId: string }[]).map((s) => s.sessionId),
      [sessionId],
    );
  }
  assert.deepEqual(await child.ask("session/list", {}), { sessions: [] });
  const names = [...Deno.readDirSync(join(a, ".mm/sessions"))]
    .filter((f) => f.name.endsWith(".json"));
  assert.equal(names.length, 1);
});

Deno.test("a project whose agent.yaml is wrong fails its sessions, until it is mended", async () => {
  await using p = await TempDir.make();
  const dir = join(p.path, "a");
  await Deno.mkdir(dir);
  await Deno.writeTextFile(join(dir, "agent.yaml"), "modle: demo\n");
  await using child = await Child.start(p.path);
  await assert.rejects(
    child.ask("session/new", { cwd: dir, mcpServers: [] }),
    (error: { code: number; message: string }) =>
      error.code === -32603 && error.message.includes('did you mean "model"?'),
  );
  await open(child, p.path);
  await Deno.writeTextFile(join(dir, "agent.yaml"), "model: demo\n");
  await open(child, dir);
});

Deno.test("a session of the terminal goes on in an editor, and back, through /compact and /new", async () => {
  await using p = await TempDir.make();
  const run = (...args: string[]) => mm(["run", ...args], { cwd: p.path });
  assert.equal((await run("count to 3")).code, 0);
  await using child = await Child.start(p.path);
  const list = async () => {
    const { sessions } = await child.ask("session/list", { cwd: p.path });
    return sessions as { sessionId: string; title: string }[];
  };
  const [made] = await list();
  assert.equal(made?.title, "count to 3");
  const id = made?.sessionId ?? "";
  const load = async () => {
    const from = child.out.length;
    await child.ask("session/load", {
      sessionId: id,
      cwd: p.path,
      mcpServers: [],
    });
    return JSON.stringify(child.out.slice(from));
  };
  assert.ok((await load()).includes("1 2 3"));
  await child.ask("session/prompt", prompt(id, "count to 4"));
  await child.ask("session/close", { sessionId: id });

  // Back in the terminal, with both halves.
  assert.equal((await run("--session", id, "count to 5")).code, 0);
  const shown = await mm(["sessions", "show", id], { cwd: p.path });
  for (const text of ["count to 3", "count to 4", "count to 5", "1 2 3 4 5"]) {
    assert.ok(shown.stdout.includes(text), text);
  }
  // And in the editor again.
  assert.ok((await load()).includes("1 2 3 4 5"));

  await child.ask("session/prompt", prompt(id, "/compact"));
  await child.ask("session/close", { sessionId: id });
  const compacted = await load();
  assert.ok(!compacted.includes('"text":"count to 3"'));
  assert.ok(compacted.includes("count to 5"));
  await child.ask("session/prompt", prompt(id, "count to 6"));

  await child.ask("session/prompt", prompt(id, "/new"));
  await child.ask("session/prompt", prompt(id, "count to 7"));
  await child.ask("session/close", { sessionId: id });
  const fresh = await load();
  assert.ok(fresh.includes("count to 7") && !fresh.includes("count to 6"));
  const kept = (await list()).find((s) => s.sessionId !== id);
  const old = await mm(["sessions", "show", kept?.sessionId ?? ""], {
    cwd: p.path,
  });
  assert.ok(old.stdout.includes("1 2 3 4 5 6"));
  assert.ok(!old.stdout.includes("count to 7"));
});

Deno.test("mm acp --setup makes a configuration and checks it", async () => {
  await using p = await TempDir.make();
  const { code, stdout, stderr } = await mm(["acp", "--setup"], {
    cwd: p.path,
    env: { MM_MODEL: "demo" },
  });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /configuration/);
  assert.ok((await Deno.stat(join(p.path, "agent.yaml"))).isFile);
});
