import assert from "node:assert/strict";
import { join } from "node:path";
import { makeKit } from "./kit.ts";

Deno.test("search gives path, line and text, in order", async () => {
  await using kit = await makeKit();
  await kit.put("b.ts", "one\r\nfoo(1)\r\n");
  await kit.put("a.ts", "foo\nbar\nxfoo");
  await kit.put("src/c.js", "Foo");
  const { content } = await kit.call("search", { pattern: "fo+" });
  assert.equal(content, "a.ts:1: foo\na.ts:3: xfoo\nb.ts:2: foo(1)");
  const any = await kit.call("search", { pattern: "^FOO$", ignoreCase: true });
  assert.equal(any.content, "a.ts:1: foo\nsrc/c.js:1: Foo");
  const one = await kit.call("search", { pattern: "foo", path: "b.ts" });
  assert.equal(one.content, "b.ts:2: foo(1)");
  const none = await kit.call("search", { pattern: "nothing" });
  assert.equal(none.content, "No match in .");
});

Deno.test("search chooses files by glob", async () => {
  await using kit = await makeKit();
  for (const path of ["a.ts", "b.tsx", "c.js", "src/d.ts", "src/e/f.ts"]) {
    await kit.put(path, "hit");
  }
  const files = async (glob: string, path = ".") =>
    (await kit.call("search", { pattern: "hit", glob, path })).content
      .split("\n").map((row) => row.split(":")[0]).join(" ");
  assert.equal(await files("*.ts"), "a.ts src/d.ts src/e/f.ts");
  assert.equal(await files("*.{ts,tsx}"), "a.ts b.tsx src/d.ts src/e/f.ts");
  assert.equal(await files("src/**"), "src/d.ts src/e/f.ts");
  assert.equal(await files("e/*.ts", "src"), "src/e/f.ts");
  assert.equal(await files("!*.ts"), "b.tsx c.js");
  assert.equal(await files("./a.ts"), "a.ts");
});

Deno.test("search passes over ignored, binary and special files", async () => {
  await using kit = await makeKit();
  await kit.put(".gitignore", "dist/\n");
  await kit.put("dist/a", "hit");
  await kit.put(".git/x", "hit");
  await kit.put(".mm/sessions/x", "hit");
  await kit.put("bin", new Uint8Array([104, 105, 116, 0]));
  await new Deno.Command("mkfifo", { args: [join(kit.project, "fifo")] })
    .output();
  await Deno.symlink("/etc", join(kit.project, "etc"));
  await kit.put("ok", "hit");
  const { content } = await kit.call("search", { pattern: "hit" });
  assert.equal(content, "ok:1: hit");
  const named = await kit.call("search", { pattern: "hit", path: "dist" });
  assert.equal(named.content, "dist/a:1: hit");
});

Deno.test("search takes an invalid expression as plain text", async () => {
  await using kit = await makeKit();
  await kit.put("a", "call(foo[\n");
  const { content } = await kit.call("search", { pattern: "foo[" });
  assert.match(content, /^a:1: call\(foo\[\n\(searched as plain text: /);
  await assert.rejects(kit.call("search", { pattern: "" }), /empty/);
});

Deno.test("search survives a catastrophic expression, which would take for ever", async () => {
  await using kit = await makeKit();
  for (let i = 0; i < 6; i++) await kit.put(`f${i}`, `${"a".repeat(50)}b\n`);
  const { content } = await kit.call("search", { pattern: "(a+)+$" });
  assert.match(content, /too slow on f0, f1, f2: stopped, simplify it/);
});

Deno.test("search is bounded and shows long lines around the match", async () => {
  await using kit = await makeKit();
  await kit.put("many", "hit\n".repeat(1000));
  await kit.put("long", `${"x".repeat(10_000)}needle${"y".repeat(10_000)}`);
  const many = (await kit.call("search", { pattern: "hit" })).content;
  assert.equal(many.split("\n").length, 201);
  assert.match(many, /there are more: narrow the search\)$/);
  const long = (await kit.call("search", { pattern: "needle" })).content;
  assert.match(long, /^long:1: …x+needley+…$/);
  assert.ok(long.length < 350);
});

Deno.test("search finds at the ends of lines and files", async () => {
  await using kit = await makeKit();
  await kit.put("a", "x \r\n\r\ny \nz");
  const at = async (pattern: string) =>
    (await kit.call("search", { pattern })).content
      .split("\n").map((row) => row.split(":")[1]).join(" ");
  assert.equal(await at(" $"), "1 3");
  assert.equal(await at("^$"), "2");
  assert.equal(await at("z$"), "4");
});

Deno.test("search of a large tree can be cancelled", async () => {
  const control = new AbortController();
  await using kit = await makeKit({ signal: control.signal });
  for (let i = 0; i < 3000; i++) {
    await kit.put(`d${i % 50}/f${i}.ts`, "const x = 1;\n".repeat(50));
  }
  const searching = assert.rejects(
    kit.call("search", { pattern: "const y\\b" }),
    { name: "AbortError" },
  );
  // Its many folders are not read in one turn.
  await new Promise((resolve) => setTimeout(resolve));
  control.abort();
  await searching;
});
