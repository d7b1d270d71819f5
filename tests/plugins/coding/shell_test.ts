import assert from "node:assert/strict";
import { join } from "node:path";
import { HeldTimers } from "../../held_timers.ts";
import { until } from "../../until.ts";
import { makeKit } from "./kit.ts";
import { peakOf } from "./peak.ts";

function lives(pid: number): boolean {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    return !/^\d+ \(.*\) [ZX]/.test(stat);
  } catch {
    return false;
  }
}

function pidIn(path: string): Promise<number> {
  return until(async () => {
    const text = await Deno.readTextFile(path).catch(() => "");
    return /^\d+\n/.test(text) && Number(text);
  }, path);
}

// The shell's own way to wait until a file holds something.
const wait = (file: string) => `until test -s ${file}; do sleep 0.05; done`;

Deno.test("shell gives the output, the exit code and the time", async () => {
  await using kit = await makeKit();
  const good = await kit.call("shell", {
    command: "echo hi; echo err >&2; echo out",
  });
  assert.match(good.content, /^hi\nerr\nout\n\[exit code 0, \d+\.\d s\]$/);
  assert.equal(good.failed, false);
  const bad = await kit.call("shell", { command: "pwd; exit 3" });
  assert.ok(bad.content.startsWith(`${kit.project}\n[exit code 3, `));
  assert.equal(bad.failed, true);
  const mute = await kit.call("shell", { command: "true" });
  assert.match(mute.content, /^\(no output\)\n\[exit code 0/);
  const killed = await kit.call("shell", { command: "kill -KILL $$" });
  assert.match(killed.content, /\[killed by SIGKILL/);
  await assert.rejects(kit.call("shell", { command: "  " }), /empty/);
});

Deno.test("shell has no input and no terminal", async () => {
  await using kit = await makeKit();
  const { content } = await kit.call("shell", {
    command: "cat; test -t 0 || echo none; : </dev/tty || echo no tty",
  });
  assert.match(content, /^none\n.*no tty\n\[/s);
});

Deno.test("shell streams its output while it runs", async () => {
  await using kit = await makeKit();
  const call = kit.call("shell", {
    command: `echo one; ${wait("go")}; echo two`,
  });
  await until(() => kit.shown.length > 0);
  assert.equal(kit.shown.join(""), "one\n");
  await kit.put("go", "go");
  await call;
  assert.equal(kit.shown.join(""), "one\ntwo\n");
});

Deno.test("shell cleans escapes, controls, rewritten lines and broken UTF-8", async () => {
  await using kit = await makeKit();
  const show = async (command: string) =>
    (await kit.call("shell", { command })).content.replace(/\n\[.*$/, "");
  assert.equal(
    await show(`printf '\\033[31mred\\033[0m \\033]0;title\\007x\\n'`),
    "red x",
  );
  assert.equal(
    await show(`printf '\\033[3'; sleep 0.2; printf '1mred\\n'`),
    "red",
  );
  assert.equal(
    await show(`printf '10%%\\r50%%\\r100%%\\ndone\\r\\n'`),
    "100%\ndone",
  );
  assert.equal(await show(`printf 'a\\377b\\303\\251\\000c'`), "a\ufffdbéc");
  assert.equal(await show(`printf '\\303'; sleep 0.2; printf '\\251\\n'`), "é");
});

Deno.test("shell stops at the timeout and kills what ignores TERM", async () => {
  await using kit = await makeKit();
  using timeout = new HeldTimers(10_000);
  const call = kit.call("shell", {
    command:
      "trap '' TERM; echo $$ > pid; (trap '' TERM; sleep 3600) & sleep 3600",
    timeout: 10,
  });
  const pid = await pidIn(join(kit.project, "pid"));
  timeout.fire();
  const { content, failed } = await call;
  assert.match(content, /\[stopped after the timeout of 10 s, /);
  assert.equal(failed, true);
  assert.equal(lives(pid), false);
});

Deno.test("shell keeps what was printed before the timeout", async () => {
  await using kit = await makeKit();
  using timeout = new HeldTimers(10_000);
  const call = kit.call("shell", {
    command: "echo before; sleep 3600",
    timeout: 10,
  });
  await until(() => kit.shown.length > 0);
  timeout.fire();
  const { content } = await call;
  assert.match(content, /^before\n\[stopped/);
});

Deno.test("shell cancelled ends the group, and those that left it by setsid", async () => {
  const control = new AbortController();
  await using kit = await makeKit({ signal: control.signal });
  const call = kit.call("shell", {
    command:
      "setsid sh -c 'echo $$ > escaped; sleep 3600' & sh -c 'echo $$ > child; sleep 3600' & sleep 3600",
  });
  const escaped = await pidIn(join(kit.project, "escaped"));
  const child = await pidIn(join(kit.project, "child"));
  assert.ok(lives(escaped) && lives(child));
  control.abort();
  const { content } = await call;
  assert.match(content, /\[cancelled, /);
  await until(() => !lives(escaped) && !lives(child));
});

Deno.test("shell does not wait for a background process that holds its output", async () => {
  await using kit = await makeKit();
  const { content } = await kit.call("shell", {
    command: `sh -c 'echo $$ > stray; sleep 3600' & ${
      wait("stray")
    }; echo done`,
  });
  assert.match(content, /^done\n\[exit code 0, .*background processes ended\]/);
  assert.equal(lives(await pidIn(join(kit.project, "stray"))), false);
});

Deno.test("shell leaves a daemon that set itself apart, without waiting for it", async () => {
  await using kit = await makeKit();
  const { content } = await kit.call("shell", {
    command: `setsid sh -c 'echo $$ > pid; sleep 3600' & ${
      wait("pid")
    }; echo done`,
  });
  assert.match(content, /^done\n\[exit code 0/);
  const pid = await pidIn(join(kit.project, "pid"));
  assert.ok(lives(pid));
  Deno.kill(pid, "SIGKILL");
});

Deno.test("shell cuts long output and keeps all of it in a private file", async () => {
  await using kit = await makeKit();
  const { content, locations } = await kit.call("shell", {
    command: "seq 1 100000",
  });
  assert.ok(content.length < 31_000);
  assert.match(content, /^1\n2\n3\n/);
  assert.match(content, /\n99999\n100000\n\[exit code 0/);
  const [, path = ""] = /all of it is in (\S+) …/.exec(content) ?? [];
  assert.match(path, /^\.mm\/output\/\d{8}-\d{6}-[0-9a-f]{8}\.txt$/);
  assert.equal(locations?.[0]?.path, join(kit.project, path));
  const saved = await kit.get(path);
  assert.equal(saved.split("\n").length, 100_001);
  const mode = (p: string) => Deno.statSync(join(kit.project, p)).mode! & 0o777;
  assert.equal(mode(path), 0o600);
  assert.equal(mode(".mm/output"), 0o700);
  assert.equal(await kit.get(".mm/.gitignore"), "*\n");
  const { context } = kit;
  const plan = await kit.tool("read").plan({ path }, context);
  assert.equal(plan.access, "auto");
  const page = await kit.call("read", { path, offset: 50_000, limit: 1 });
  assert.match(page.content, /^50000\t50000\n/);
});

Deno.test("shell takes 200 MB of output in little memory", async () => {
  await using kit = await makeKit();
  let content = "";
  const peak = await peakOf(async () => {
    ({ content } = await kit.call("shell", {
      command: "yes 0123456789012345678 | head -c 200000000; echo end",
    }));
  });
  assert.match(content, /end\n\[exit code 0/);
  assert.ok(peak < 400e6, `${peak / 1e6} MB`);
  const [, path = ""] = /all of it is in (\S+) …/.exec(content) ?? [];
  assert.equal(
    (await Deno.stat(join(kit.project, path))).size,
    200_000_004,
  );
  assert.ok(kit.shown.join("").length < 5e6);
});

Deno.test("shell stops a flood", async () => {
  await using kit = await makeKit();
  const { content } = await kit.call("shell", { command: "yes" });
  assert.match(content, /\[stopped: more than 256 MiB of output/);
});

Deno.test("shell keeps the newest output files only", async () => {
  await using kit = await makeKit();
  for (let i = 10; i < 75; i++) {
    await kit.put(`.mm/output/20200101-0000${i}-00000000.txt`, "old");
  }
  await kit.call("shell", { command: "seq 1 20000" });
  const names = [...Deno.readDirSync(join(kit.project, ".mm/output"))]
    .map((entry) => entry.name).sort();
  assert.equal(names.length, 50);
  assert.equal(names[0], "20200101-000026-00000000.txt");
});

Deno.test("shell saves nothing through a symlink in place of .mm", async () => {
  await using kit = await makeKit();
  await Deno.mkdir(join(kit.base, "elsewhere"));
  await Deno.symlink("../elsewhere", join(kit.project, ".mm"));
  const { content } = await kit.call("shell", { command: "seq 1 20000" });
  assert.match(content, /it could not be saved: /);
  assert.match(content, /\n20000\n\[exit code 0/);
  assert.deepEqual([...Deno.readDirSync(join(kit.base, "elsewhere"))], []);
});

Deno.test("shell hides mm's own tokens and named variables from commands", async () => {
  await using kit = await makeKit({ options: { hideEnv: ["TEST_API"] } });
  // Names of this test's own: the environment is that of all tests at once.
  const set = {
    MM_TEST_TOKEN: "t",
    MM_TEST_SECRET: "s",
    TEST_API: "k",
    MM_TEST_X: "x",
  };
  for (const [name, value] of Object.entries(set)) Deno.env.set(name, value);
  try {
    const { content } = await kit.call("shell", {
      command:
        'echo "$MM_TEST_TOKEN,$MM_TEST_SECRET,$TEST_API,$MM_TEST_X,${HOME:+home}"',
    });
    assert.match(content, /^,,,x,home\n/);
  } finally {
    for (const name of Object.keys(set)) Deno.env.delete(name);
  }
});

Deno.test("shell runs allowed commands by itself and asks about the rest", async () => {
  await using kit = await makeKit({ commands: ["git status", "ls"] });
  const plan = async (command: string, allowed: string[] = []) =>
    await kit.tool("shell").plan({ command }, {
      ...kit.context,
      allowed: new Set(allowed),
    });
  assert.deepEqual(await plan("git status | cat", ["cat"]), {
    title: "$ git status | cat",
    access: "auto",
  });
  assert.deepEqual(await plan("npm test 2>&1"), {
    title: "$ npm test 2>&1",
    access: "ask",
    reason: "not in the allowed commands",
    scope: "npm test",
  });
  assert.equal((await plan("npm test", ["npm test"])).access, "auto");
  assert.equal((await plan("npm test > x", ["npm test"])).access, "ask");
  assert.deepEqual(await plan("ls > x"), {
    title: "$ ls > x",
    access: "ask",
    reason: "writes to a file by redirection",
  });
});

Deno.test("shell says when its folder is gone", async () => {
  await using kit = await makeKit();
  const context = { ...kit.context, cwd: join(kit.project, "gone") };
  await assert.rejects(
    kit.tool("shell").run({ command: "ls" }, context),
    /Cannot find the folder/,
  );
});
