import assert from "node:assert/strict";
import { join } from "node:path";
import { command } from "../../mm.ts";
import { npmClients } from "./npm_clients.ts";
import { marked } from "../../marked.ts";
import { removeDir } from "../../temp_dir.ts";
import { until } from "../../until.ts";

const clients = await npmClients();
const reason = typeof clients === "string" ? ` (skipped: ${clients})` : "";
const ignore = reason !== "";

/** A project, a home, and an agent that is one executable, as acpx wants it. */
async function lab() {
  if (typeof clients === "string") throw new TypeError(clients);
  const base = await Deno.realPath(await Deno.makeTempDir());
  const cwd = join(base, "project");
  const home = join(base, "home");
  const agent = join(base, "agent.sh");
  await Promise.all([Deno.mkdir(cwd), Deno.mkdir(home)]);
  const words = (await command()).map((w) => `'${w}'`).join(" ");
  const log = join(base, "mm.log");
  await Deno.writeTextFile(
    agent,
    `#!/bin/sh\nexec ${words} acp --log '${log}' "$@"\n`,
    { mode: 0o755 },
  );
  const env = {
    HOME: home,
    PATH: `${join(clients.node, "..")}:${Deno.env.get("PATH")}`,
    MM_MODEL: "demo",
    DENO_DIR: Deno.env.get("DENO_DIR") ?? await denoDir(),
  };
  return {
    cwd,
    agent,
    clients,
    env,
    log: () => Deno.readTextFile(log),
    /** Runs acpx; its stdout, and its exit code after `wanted`. */
    async acpx(args: readonly string[], wanted = 0): Promise<string> {
      const { code, stdout, stderr } = await new Deno.Command(clients.node, {
        args: [clients.acpx, "--agent", agent, ...args],
        cwd,
        clearEnv: true,
        env,
      }).output();
      const text = new TextDecoder();
      const out = text.decode(stdout);
      assert.equal(code, wanted, `${args}\n${out}\n${text.decode(stderr)}`);
      return out;
    },
    [Symbol.asyncDispose]: () => removeDir(base),
  };
}

Deno.test({
  name: `acpx runs one prompt: approved and denied${reason}`,
  ignore,
  async fn() {
    await using t = await lab();
    const out = await t.acpx(["--approve-all", "exec", "write a.txt: hello"]);
    assert.match(out, /\[tool\] Create a\.txt \(completed\)/);
    assert.match(out, /\[done\] end_turn/);
    assert.equal(await Deno.readTextFile(join(t.cwd, "a.txt")), "hello\n");
    await t.acpx(["--deny-all", "exec", "write b.txt: no"], 5);
    await assert.rejects(Deno.stat(join(t.cwd, "b.txt")), Deno.errors.NotFound);
  },
});

Deno.test({
  name: `acpx reads only what a strict client accepts${reason}`,
  ignore,
  async fn() {
    await using t = await lab();
    const out = await t.acpx([
      "--approve-all",
      "--format",
      "json",
      "--json-strict",
      "exec",
      "run echo hi",
    ]);
    const lines = out.trim().split("\n").map((line) => JSON.parse(line));
    assert.ok(lines.length > 5);
    assert.ok(out.includes("session/request_permission"), out);
  },
});

Deno.test({
  name:
    `acpx keeps a session over processes: new, prompt, resume, list, set-mode, close${reason}`,
  ignore: ignore || Deno.build.os !== "linux", // it looks into /proc
  async fn() {
    await using t = await lab();
    await Deno.writeTextFile(join(t.cwd, "a.txt"), "hello\n");
    await t.acpx(["sessions", "new"]);
    await t.acpx(["--ttl", "1", "read a.txt"]);
    await until(() => marked(`HOME=${t.env.HOME}`).length === 0, "its end");
    await t.acpx(["--ttl", "30", "count to 3"]);
    assert.match(await t.log(), /<- session\/(resume|load)/);
    const listed = await t.acpx(["--format", "json", "sessions", "list"]);
    const { sessions } = JSON.parse(listed);
    assert.equal(sessions.length, 1);
    assert.equal(sessions[0].title, "read a.txt");
    assert.equal(sessions[0]._meta.turns, 2);
    const mode = await t.acpx(["--ttl", "30", "set-mode", "read-only"]);
    assert.match(mode, /mode set: read-only/);
    await t.acpx(["--ttl", "30", "--approve-all", "write b.txt: no"]);
    await assert.rejects(Deno.stat(join(t.cwd, "b.txt")), Deno.errors.NotFound);
    await t.acpx(["sessions", "close"]);
    assert.match(await t.log(), /<- session\/close/);
  },
});

Deno.test({
  name: `acpx cancels a prompt${reason}`,
  ignore,
  async fn() {
    await using t = await lab();
    await t.acpx(["sessions", "new"]);
    const asked = t.acpx(["--ttl", "30", "--approve-all", "run sleep 60"]);
    await until(async () =>
      /in_progress|tool_call_update/.test(await t.log().catch(() => ""))
    );
    await t.acpx(["cancel"]);
    assert.match(await asked, /\[done\] cancelled/);
    await t.acpx(["sessions", "close"]);
  },
});

Deno.test({
  name: `the client of SDK 0.18 asks, permits and loads${reason}`,
  ignore,
  async fn() {
    await using t = await lab();
    const script = join(import.meta.dirname!, "old_client.mjs");
    const { code, stdout, stderr } = await new Deno.Command(t.clients.node, {
      args: [script, t.clients.oldSdk, t.cwd, t.agent],
      cwd: t.cwd,
      clearEnv: true,
      env: t.env,
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    const saw = JSON.parse(new TextDecoder().decode(stdout));
    assert.equal(saw.stopReason, "end_turn");
    assert.equal(saw.agentCapabilities.loadSession, true);
    assert.deepEqual(saw.asked, ["Create made.txt"]);
    assert.equal(saw.code, 0);
    const kinds = saw.replayed.map((u: { sessionUpdate: string }) =>
      u.sessionUpdate
    );
    assert.deepEqual(kinds.slice(0, 4), [
      "user_message_chunk",
      "agent_message_chunk",
      "tool_call",
      "agent_message_chunk",
    ]);
    assert.ok(saw.live.length > 3);
  },
});

async function denoDir(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json"],
  }).output();
  return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
}
