import assert from "node:assert/strict";
import { join } from "node:path";
import { makeKit } from "./kit.ts";

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

function lives(pid: number): boolean {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    return !/^\d+ \(.*\) [ZX]/.test(stat);
  } catch {
    return false;
  }
}

async function pidIn(path: string): Promise<number> {
  for (let i = 0; i < 100; i++) {
    const text = await Deno.readTextFile(path).catch(() => "");
    if (/^\d+\n/.test(text)) return Number(text);
    await sleep(20);
  }
  throw new Error("no pid");
}

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
  const call = kit.call("shell", { command: "echo one; sleep 1; echo two" });
  await sleep(700);
  assert.equal(kit.shown.join(""), "one\n");
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
  const began = performance.now();
  const { content, failed } = await kit.call("shell", {
    command: "trap '' TERM; echo $$ > pid; (trap '' TERM; sleep 60) & sleep 60",
    timeout: 1,
  });
  assert.match(content, /\[stopped after the timeout of 1 s, /);
  assert.equal(failed, true);
  assert.ok(performance.now() - began < 15_000);
  assert.equal(lives(await pidIn(join(kit.project, "pid"))), false);
});

Deno.test("shell keeps what was printed before the timeout", async () => {
  await using kit = await makeKit();
  const { content } = await kit.call("shell", {
    command: "echo before; sleep 60",
    timeout: 1,
  });
  assert.match(content, /^before\n\[stopped/);
});

Deno.test("shell cancelled ends the group, and those that left it by setsid", async () => {
  const control = new AbortController();
  await using kit = await makeKit({ signal: control.signal });
  const call = kit.call("shell", {
    command:
      "setsid sh -c 'echo $$ > escaped; sleep 60' & sh -c 'echo $$ > child; sleep 60' & sleep 60",
  });
  const escaped = await pidIn(join(kit.project, "escaped"));
  const child = await pidIn(join(kit.project, "child"));
  assert.ok(lives(escaped) && lives(child));
  control.abort();
  const { content } = await call;
  assert.match(content, /\[cancelled, /);
  await sleep(100);
  assert.equal(lives(escaped), false);
  assert.equal(lives(child), false);
});

Deno.test("shell does not wait for a background process that holds its output", async () => {
  await using kit = await makeKit();
  const began = performance.now();
  const { content } = await kit.call("shell", {
    command: "echo $$ > pid; sh -c 'echo $$ > stray; sleep 60' & echo done",
  });
  assert.ok(performance.now() - began < 15_000);
  assert.match(content, /^done\n\[exit code 0, .*background processes ended\]/);
  const stray = await pidIn(join(kit.project, "stray")).catch(() => 0);
  assert.equal(stray > 0 && lives(stray), false);
});

Deno.test("shell leaves a daemon that set itself apart, without waiting for it", async () => {
  await using kit = await makeKit();
  const began = performance.now();
  const { content } = await kit.call("shell", {
    command: "setsid sh -c 'echo $$ > pid; sleep 60' & sleep 0.5; echo done",
  });
  assert.ok(performance.now() - began < 15_000);
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
  let top = 0;
  const watch = setInterval(() => {
    top = Math.max(top, Deno.memoryUsage().rss);
  }, 20);
  const before = Deno.memoryUsage().rss;
  const { content } = await kit.call("shell", {
    command: "yes 0123456789012345678 | head -c 200000000; echo end",
  });
  clearInterval(watch);
  assert.match(content, /end\n\[exit code 0/);
  assert.ok(top - before < 400e6, `${(top - before) / 1e6} MB`);
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
  await using kit = await makeKit({ options: { hideEnv: ["MY_API"] } });
  const set = { MM_TOKEN: "t", MM_REMOTE_SECRET: "s", MY_API: "k", MM_X: "x" };
  for (const [name, value] of Object.entries(set)) Deno.env.set(name, value);
  try {
    const { content } = await kit.call("shell", {
      command: 'echo "$MM_TOKEN,$MM_REMOTE_SECRET,$MY_API,$MM_X,${HOME:+home}"',
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
