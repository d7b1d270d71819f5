import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { replace } from "../../../plugins/coding/replace.ts";
import { makeKit } from "./kit.ts";

Deno.test("edit replaces one exact match and shows the change", async () => {
  await using kit = await makeKit();
  await kit.put("a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
  const input = { path: "a.txt", old: "5", new: "five\nand" };
  const { context } = kit;
  const plan = await kit.tool("edit").plan(input, context);
  const diff = {
    path: join(kit.project, "a.txt"),
    oldText: "2\n3\n4\n5\n6\n7\n8\n",
    newText: "2\n3\n4\nfive\nand\n6\n7\n8\n",
    line: 2,
  };
  assert.deepEqual(plan.diffs, [diff]);
  assert.equal(plan.access, "edit");
  assert.equal(plan.scope, "edit");
  const result = await kit.tool("edit").run(input, context);
  assert.equal(result.content, "Edited a.txt: line 5");
  assert.deepEqual(result.diffs, [diff]);
  assert.equal(
    await kit.get("a.txt"),
    "1\n2\n3\n4\nfive\nand\n6\n7\n8\n9\n",
  );
});

Deno.test("edit refuses no match and says what is near", async () => {
  await using kit = await makeKit();
  await kit.put("a.ts", "function foo() {\n  return 1;\n}\n");
  const edit = (old: string) =>
    kit.call("edit", { path: "a.ts", old, new: "x" });
  await assert.rejects(
    edit("    return 1;"),
    /line 2 is alike: " {2}return 1;"/,
  );
  await assert.rejects(edit("function fob() {"), /nearest is line 1/);
  await assert.rejects(edit("2\t  return 2;"), /leave the line numbers out/);
  await assert.rejects(edit("zzz"), /does not occur in "a.ts"$/);
  await assert.rejects(edit(""), /empty/);
  await assert.rejects(
    kit.call("edit", { path: "a.ts", old: "foo", new: "foo" }),
    /the same/,
  );
  await assert.rejects(
    kit.call("edit", { path: "none", old: "a", new: "b" }),
    /Cannot find/,
  );
});

Deno.test("edit refuses several matches unless all is set", async () => {
  await using kit = await makeKit();
  await kit.put("a", "x\ny\nx\naaa\n");
  await assert.rejects(
    kit.call("edit", { path: "a", old: "x", new: "z" }),
    /occurs 2 times in "a" \(lines 1, 3\)/,
  );
  await assert.rejects(
    kit.call("edit", { path: "a", old: "aa", new: "b" }),
    /2 times/,
  );
  const all = { path: "a", old: "x", new: "z", all: true };
  const { content } = await kit.call("edit", all);
  assert.equal(content, "Edited a: 2 matches, from line 1");
  assert.equal(await kit.get("a"), "z\ny\nz\naaa\n");
});

Deno.test("edit keeps line endings, byte-order mark, final newline and mode", async () => {
  await using kit = await makeKit();
  const path = await kit.put("crlf", "\ufeffone\r\ntwo\r\nthree");
  await Deno.chmod(path, 0o755);
  await kit.call("edit", { path: "crlf", old: "one\ntwo", new: "1\n1½\n2" });
  assert.deepEqual(
    new TextDecoder("utf-8", { ignoreBOM: true })
      .decode(await Deno.readFile(path)),
    "\ufeff1\r\n1½\r\n2\r\nthree",
  );
  assert.equal((await Deno.stat(path)).mode! & 0o777, 0o755);
  await kit.call("edit", { path: "crlf", old: "three", new: "3\n4" });
  assert.match(await kit.get("crlf"), /\r\n3\r\n4$/);
  await kit.put("lf", "a\nb\n");
  await kit.call("edit", { path: "lf", old: "a\r\nb", new: "c\r\nd" });
  assert.equal(await kit.get("lf"), "c\nd\n");
});

Deno.test("edit refuses a file that changed after the plan", async () => {
  await using kit = await makeKit();
  await kit.put("a", "x y\n");
  const { context } = kit;
  const input = { path: "a", old: "x", new: "z" };
  await kit.tool("edit").plan(input, context);
  await kit.put("a", "x changed\n");
  await assert.rejects(
    kit.tool("edit").run(input, context),
    /has changed meanwhile/,
  );
  assert.equal(await kit.get("a"), "x changed\n");
});

Deno.test("edit does not write through a symlink swapped in after the plan", async () => {
  await using kit = await makeKit();
  const outside = join(kit.base, "victim");
  await Deno.writeTextFile(outside, "x\n");
  await kit.put("dir/a", "x\n");
  const { context } = kit;
  const input = { path: "dir/a", old: "x", new: "pwned" };
  await kit.tool("edit").plan(input, context);
  await Deno.remove(join(kit.project, "dir"), { recursive: true });
  await Deno.symlink("..", join(kit.project, "dir"));
  await Deno.rename(outside, join(kit.base, "a"));
  await assert.rejects(kit.tool("edit").run(input, context), /elsewhere/);
  assert.equal(await Deno.readTextFile(join(kit.base, "a")), "x\n");
});

Deno.test("edit tells nothing of a file before it was asked for", async () => {
  await using kit = await makeKit();
  await Deno.writeTextFile(join(kit.base, "secret"), "key: 4711\n");
  await kit.put(".mm/sessions/x.json", "key: 4711\n");
  for (const path of ["../secret", "../secre", ".mm/sessions/x.json"]) {
    const { context } = kit;
    const input = { path, old: "key: 4710", new: "x" };
    const { access, diffs } = await kit.tool("edit").plan(input, context);
    assert.deepEqual([access, diffs], ["ask", []], path);
    // Once it was allowed, it may say why it fails.
    await assert.rejects(
      kit.tool("edit").run(input, context),
      /the nearest is line 1: "key: 4711"$|did you mean "secret"\?$/,
    );
  }
});

Deno.test("edit refuses binary and read-only files", async () => {
  await using kit = await makeKit();
  await kit.put("bin", new Uint8Array([120, 0, 10]));
  const locked = await kit.put("locked", "x");
  await Deno.chmod(locked, 0o444);
  const edit = (path: string) => kit.call("edit", { path, old: "x", new: "y" });
  await assert.rejects(edit("bin"), /binary/);
  await assert.rejects(edit("locked"), /read-only/);
  await assert.rejects(edit("."), /folder/);
});

Deno.test("replace() keeps every byte around the match and the line endings in it", () => {
  const eol = fc.constantFrom("\n", "\r\n");
  const word = fc.string({ unit: "grapheme", maxLength: 5 })
    .map((text) => text.replaceAll(/[\r\n§]/g, ""));
  const lines = fc.array(word, { maxLength: 6 });
  const text = fc.tuple(lines, fc.array(eol, { minLength: 6, maxLength: 6 }))
    .map(([parts, ends]) =>
      parts.map((part, i) => (i ? ends[i - 1] : "") + part).join("")
    );
  fc.assert(
    fc.property(
      text,
      lines,
      eol,
      text,
      lines,
      (head, old, end, tail, fresh) => {
        const wanted = `§${old.join("\n")}§`;
        const inFile = wanted.replaceAll("\n", end);
        const put = fresh.join("\n");
        const done = replace(head + inFile + tail, wanted, put);
        assert.ok(done.ok);
        assert.ok(done.text.startsWith(head));
        assert.ok(done.text.slice(head.length).endsWith(tail));
        const middle = done.text.slice(
          head.length,
          done.text.length - tail.length,
        );
        const near = /\r?\n/.exec(inFile)?.[0] ?? /\r?\n/.exec(tail)?.[0] ??
          /\r?\n(?!.*\n)/s.exec(head)?.[0] ?? "\n";
        assert.equal(middle, put.replaceAll("\n", near));
      },
    ),
    { numRuns: 3000 },
  );
});

Deno.test("replace() of a whole text line by line equals String.replaceAll", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r\n") });
  fc.assert(
    fc.property(text, text, (file, old) => {
      const plain = (s: string) => s.replaceAll("\r\n", "\n");
      if (plain(old) === "" || !plain(file).includes(plain(old))) return;
      const done = replace(file, old, "X", true);
      assert.ok(done.ok);
      assert.equal(
        plain(done.text),
        plain(file).replaceAll(plain(old), () => "X"),
      );
    }),
    { numRuns: 3000 },
  );
});

Deno.test("replace() of very many matches replaces every one, on one line too", () => {
  for (const unit of ["a,", "a,\r\n"]) {
    const done = replace(unit.repeat(300_000), ",", ";\n", true);
    assert(done.ok);
    assert.equal(done.lines.length, 300_000);
    const end = unit.endsWith("\r\n") ? "\r\n" : "\n";
    assert.equal(
      done.text,
      unit.replace(",", `;${end}`).repeat(300_000),
    );
  }
  assert.throws(
    () => replace("a".repeat(1_000_001), "a", "b", true),
    /more than 1000000 times/,
  );
});

Deno.test("replace() of a long text that repeats itself looks for no more than it tells", () => {
  const done = replace("xyz\n".repeat(600_000), "xyz\n".repeat(250_000), "");
  assert.deepEqual([done.ok, done.lines.length], [false, 100]);
});
