import assert from "node:assert/strict";
import { join } from "node:path";
import { makeKit } from "./kit.ts";
import { peakOf } from "./peak.ts";

Deno.test("read numbers the lines and says how to go on", async () => {
  await using kit = await makeKit();
  await kit.put("a.txt", "one\r\ntwo\nthree");
  const whole = await kit.call("read", { path: "a.txt" });
  assert.equal(whole.content, "1\tone\n2\ttwo\n3\tthree");
  const part = await kit.call("read", { path: "a.txt", offset: 2, limit: 1 });
  assert.equal(part.content, "2\ttwo\n(there is more: go on with offset 3)");
  const rest = await kit.call("read", { path: "a.txt", offset: 3 });
  assert.equal(rest.content, "3\tthree\n(end of file: 3 lines)");
  await assert.rejects(
    kit.call("read", { path: "a.txt", offset: 9 }),
    /has 3 lines/,
  );
});

Deno.test("read bounds lines and bytes", async () => {
  await using kit = await makeKit();
  await kit.put("many.txt", "x\n".repeat(5000));
  const many = (await kit.call("read", { path: "many.txt" })).content;
  assert.equal(many.split("\n").length, 2001);
  await kit.put("wide.txt", `${"é".repeat(500)}\n`.repeat(1000));
  const wide = (await kit.call("read", { path: "wide.txt" })).content;
  assert.ok(wide.length < 70_000);
  assert.match(wide, /go on with offset \d+\)$/);
  await kit.put("long.txt", `${"é".repeat(100_000)}\nnext\n`);
  const long = (await kit.call("read", { path: "long.txt" })).content;
  assert.match(long, /^1\té{2000} \(line cut\)\n2\tnext$/);
});

Deno.test("read shows an empty file and drops a byte-order mark", async () => {
  await using kit = await makeKit();
  await kit.put("empty", "");
  assert.equal(
    (await kit.call("read", { path: "empty" })).content,
    "(empty file)",
  );
  await kit.put("bom", "\ufeffhi\n");
  assert.equal((await kit.call("read", { path: "bom" })).content, "1\thi");
});

Deno.test("read refuses what is no text", async () => {
  await using kit = await makeKit();
  await kit.put("nul", new Uint8Array([97, 0, 98]));
  await kit.put("latin1", new Uint8Array([0x63, 0x61, 0x66, 0xe9, 10]));
  await kit.put("utf16", new Uint8Array([0xff, 0xfe, 97, 0, 10, 0]));
  const read = (path: string) => kit.call("read", { path });
  await assert.rejects(read("nul"), /binary/);
  await assert.rejects(read("latin1"), /not UTF-8/);
  await assert.rejects(read("utf16"), /UTF-16/);
});

Deno.test("read refuses folders, FIFOs and devices without hanging", async () => {
  await using kit = await makeKit();
  await new Deno.Command("mkfifo", { args: [join(kit.project, "fifo")] })
    .output();
  const read = (path: string) => kit.call("read", { path });
  await assert.rejects(read("."), /use list/);
  await assert.rejects(read("fifo"), /no regular file/);
  await assert.rejects(read("/dev/zero"), /no regular file/);
});

Deno.test("read suggests near names", async () => {
  await using kit = await makeKit();
  await kit.put("src/README.md", "x");
  const read = (path: string) => kit.call("read", { path });
  await assert.rejects(read("src/READM.md"), /did you mean "README.md"\?/);
  await assert.rejects(read("src/readme.txt"), /did you mean "README.md"\?/);
  await assert.rejects(read("src/zzzzzzzz"), /Cannot find "src\/zzzzzzzz"$/);
  await assert.rejects(read("lib/a.ts"), /folder "lib" does not exist/);
});

Deno.test("read takes a part of a 2 GB file in little memory", async () => {
  await using kit = await makeKit();
  const path = await kit.put("huge", "first\n");
  const file = await Deno.open(path, { write: true });
  const chunk = new TextEncoder().encode(`${"y".repeat(1023)}\n`.repeat(64));
  for (let i = 0; i < 16; i++) await file.write(chunk);
  await file.truncate(2 * 1024 ** 3); // the rest is a hole of NULs
  file.close();
  const peak = await peakOf(async () => {
    const got = await kit.call("read", { path: "huge", offset: 900, limit: 2 });
    assert.match(got.content, /^900\ty+\n901\ty+\n\(there is more/);
    await assert.rejects(
      kit.call("read", { path: "huge", offset: 1020 }),
      /binary/,
    );
  });
  assert.ok(peak < 200e6, `${peak / 1e6} MB`);
});

Deno.test("read asks outside the project, symlinks followed first", async () => {
  await using kit = await makeKit();
  await Deno.writeTextFile(join(kit.base, "secret"), "s");
  await Deno.symlink("../secret", join(kit.project, "link"));
  await Deno.symlink("..", join(kit.project, "up"));
  await kit.put("in", "x");
  await Deno.symlink("in", join(kit.project, "alias"));
  const plan = async (path: string) =>
    await kit.tool("read").plan({ path }, kit.context);
  for (const path of ["link", "up/secret", "../secret", "/etc/passwd", ".."]) {
    const { access, reason, scope } = await plan(path);
    assert.equal(access, "ask", path);
    assert.equal(reason, "outside the project");
    assert.match(scope ?? "", /^files in \//);
  }
  for (const path of ["in", "alias", "./a/../in", kit.project, "missing"]) {
    assert.equal((await plan(path)).access, "auto", path);
  }
  assert.equal((await plan(`${kit.project}x`)).access, "ask");
});

Deno.test("read does not follow a symlink that appeared since it was planned", async () => {
  await using kit = await makeKit();
  await Deno.writeTextFile(join(kit.base, "secret"), "s");
  const path = await kit.put("a.txt", "x");
  const { context } = kit;
  const tool = kit.tool("read");
  await tool.plan({ path: "a.txt" }, context);
  await Deno.remove(path);
  await Deno.symlink("../secret", path);
  await assert.rejects(tool.run({ path: "a.txt" }, context), /elsewhere/);
  // Without a plan, nothing outside is touched at all.
  await assert.rejects(tool.run({ path: "a.txt" }, kit.context), /elsewhere/);
});

Deno.test("read stops when it is cancelled", async () => {
  const control = new AbortController();
  await using kit = await makeKit({ signal: control.signal });
  await kit.put("a.txt", "x");
  control.abort();
  await assert.rejects(kit.call("read", { path: "a.txt" }), {
    name: "AbortError",
  });
});

Deno.test("reading what mm keeps is asked, the output of commands apart", async () => {
  await using kit = await makeKit();
  await kit.put(".mm/sessions/x.json", "a secret of another conversation");
  await kit.put("sub/.mm/sessions/x.json", "x");
  await kit.put(".mm/output/1.txt", "printed");
  await Deno.symlink(".mm/sessions/x.json", join(kit.project, "alias"));
  const paths = [".mm", ".mm/sessions", "sub/.mm/sessions/x.json", "alias"];
  for (const path of paths) {
    for (const name of ["read", "list", "search"]) {
      const { access, reason } = await kit.tool(name)
        .plan({ path, pattern: "x" }, kit.context);
      assert.deepEqual([access, reason], ["ask", "mm's own files"], path);
    }
  }
  const read = kit.tool("read");
  const output = await read.plan({ path: ".mm/output/1.txt" }, kit.context);
  assert.equal(output.access, "auto");
  await assert.rejects(read.run({ path: "alias" }, kit.context), /elsewhere/);
});

Deno.test("no tool opens the note that holds the server's key, asked or not", async () => {
  await using kit = await makeKit();
  const key = "0123456789abcdef";
  await kit.put(".mm/serve.json", `{"token": "${key}"}`);
  await kit.put(".mm/serve.json.1f2e3d4c", `{"token": "${key}"}`);
  await Deno.symlink(".mm/serve.json", join(kit.project, "alias"));
  await kit.put(".mm/sessions/x.json", "token of something else");
  const rest = { content: "x", old: '"token"', new: "x", pattern: "x" };
  const paths = [".mm/serve.json", ".mm/serve.json.1f2e3d4c", "alias"];
  for (const path of paths) {
    for (const name of ["read", "list", "search", "write", "edit"]) {
      await assert.rejects(
        kit.call(name, { ...rest, path }),
        { message: `"${path}" holds the key of mm serve: no tool opens it` },
      );
    }
  }
  const found = await kit.call("search", { pattern: "token", path: ".mm" });
  assert.equal(found.content, ".mm/sessions/x.json:1: token of something else");
});
