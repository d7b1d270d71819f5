import assert from "node:assert/strict";
import { join } from "node:path";
import { makeKit } from "./kit.ts";

Deno.test("write creates a file and its folders", async () => {
  await using kit = await makeKit();
  const input = { path: "a/b/c.txt", content: "x\ny\n" };
  const { context } = kit;
  const plan = await kit.tool("write").plan(input, context);
  assert.equal(plan.title, "Create a/b/c.txt");
  assert.deepEqual(plan.diffs, [
    { path: join(kit.project, "a/b/c.txt"), oldText: null, newText: "x\ny\n" },
  ]);
  const result = await kit.tool("write").run(input, context);
  assert.equal(result.content, "Created a/b/c.txt: 2 lines");
  assert.equal(await kit.get("a/b/c.txt"), "x\ny\n");
});

Deno.test("write replaces in one step, keeps the mode and leaves nothing else", async () => {
  await using kit = await makeKit();
  const path = await kit.put("run.sh", "old\n");
  await Deno.chmod(path, 0o750);
  await kit.call("write", { path: "run.sh", content: "new\n" });
  assert.equal(await kit.get("run.sh"), "new\n");
  assert.equal((await Deno.stat(path)).mode! & 0o777, 0o750);
  assert.deepEqual([...Deno.readDirSync(kit.project)].length, 1);
});

Deno.test("write shows the text of a private file to nobody while it writes", async () => {
  await using kit = await makeKit();
  const path = await kit.put("key", "old");
  await Deno.chmod(path, 0o600);
  const modes: number[] = [];
  const { chmod } = Deno;
  // The last moment at which the temporary file may still have another mode.
  Deno.chmod = async (temp, mode) => {
    modes.push((await Deno.stat(temp)).mode! & 0o777);
    await chmod(temp, mode);
  };
  try {
    await kit.call("write", { path: "key", content: "new" });
  } finally {
    Deno.chmod = chmod;
  }
  assert.deepEqual(modes, [0o600]);
  assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
});

Deno.test("write keeps a symlink inside the project and writes its target", async () => {
  await using kit = await makeKit();
  await kit.put("real", "old");
  await Deno.symlink("real", join(kit.project, "link"));
  await kit.call("write", { path: "link", content: "new" });
  assert.equal(await kit.get("real"), "new");
  assert.ok((await Deno.lstat(join(kit.project, "link"))).isSymlink);
});

Deno.test("write asks outside the project and for what git and mm obey", async () => {
  await using kit = await makeKit();
  await Deno.symlink("..", join(kit.project, "up"));
  await Deno.symlink("../new", join(kit.project, "dangling"));
  const plan = async (path: string) =>
    await kit.tool("write").plan({ path, content: "x" }, kit.context);
  for (const path of ["../x", "up/x", "dangling", "/tmp/x", "up/a/b/c"]) {
    const { access, reason, scope } = await plan(path);
    assert.deepEqual([access, reason, scope], [
      "ask",
      "outside the project",
      undefined,
    ], path);
  }
  for (
    const path of [
      ".git/hooks/pre-commit",
      "sub/.git/config",
      ".GIT/config",
      ".mm/sessions/x.json",
      ".mm/output/x",
      "agent.yaml",
    ]
  ) assert.equal((await plan(path)).access, "ask", path);
  for (const path of ["x", "a/b", ".github/x", "mm/x", ".gitignore"]) {
    assert.equal((await plan(path)).access, "edit", path);
  }
});

Deno.test("write refuses a file that changed or appeared after the plan", async () => {
  await using kit = await makeKit();
  const write = kit.tool("write");
  const input = { path: "a", content: "mine" };
  const first = kit.context;
  await write.plan(input, first);
  await kit.put("a", "theirs");
  await assert.rejects(write.run(input, first), /has changed meanwhile/);
  const second = kit.context;
  await write.plan(input, second);
  await kit.put("a", "theirs again");
  await assert.rejects(write.run(input, second), /has changed meanwhile/);
  assert.equal(await kit.get("a"), "theirs again");
});

Deno.test("write refuses folders, special files and a parent that is a file", async () => {
  await using kit = await makeKit();
  await kit.put("dir/x", "");
  await new Deno.Command("mkfifo", { args: [join(kit.project, "fifo")] })
    .output();
  const write = (path: string) => kit.call("write", { path, content: "x" });
  await assert.rejects(write("dir"), /is a folder/);
  await assert.rejects(write("fifo"), /no regular file/);
  await assert.rejects(write("dir/x/y"));
  await assert.rejects(write("a\0b"), /NUL/);
});

Deno.test("write replaces a binary file and says what was there", async () => {
  await using kit = await makeKit();
  await kit.put("bin", new Uint8Array([0, 1, 2]));
  const { diffs } = await kit.call("write", { path: "bin", content: "text" });
  assert.match(diffs?.[0]?.oldText ?? "", /not text: 3 bytes/);
  assert.equal(await kit.get("bin"), "text");
});

Deno.test("write twenty times at once to one file loses none but the overtaken", async () => {
  await using kit = await makeKit();
  const all = await Promise.allSettled(
    Array.from(
      { length: 20 },
      (_, i) => kit.call("write", { path: "a", content: `${i}` }),
    ),
  );
  assert.ok(all.some((one) => one.status === "fulfilled"));
  assert.match(await kit.get("a"), /^\d+$/);
  assert.equal([...Deno.readDirSync(kit.project)].length, 1);
});
