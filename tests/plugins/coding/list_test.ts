import assert from "node:assert/strict";
import { join } from "node:path";
import { makeKit } from "./kit.ts";

Deno.test("list draws a tree, folders first, without what git ignores", async () => {
  await using kit = await makeKit();
  await kit.put(".gitignore", "dist/\n*.log\n!keep.log\n");
  await kit.put("src/.gitignore", "*.tmp\n!important.log\n");
  for (
    const path of [
      "b.txt",
      "a.txt",
      "x.log",
      "keep.log",
      "dist/out.js",
      "src/main.ts",
      "src/x.tmp",
      "src/important.log",
      "src/deep/er/file",
      ".git/HEAD",
      ".mm/output/1",
    ]
  ) await kit.put(path, "x");
  await Deno.symlink("a.txt", join(kit.project, "link"));
  const { content } = await kit.call("list", {});
  assert.equal(
    content,
    `.:
src/
  deep/ …
  .gitignore
  important.log
  main.ts
.gitignore
a.txt
b.txt
keep.log
link -> a.txt
(5 ignored not shown)`,
  );
  const flat = await kit.call("list", { path: "src", depth: 1 });
  assert.match(flat.content, /^src:\ndeep\/ …\n/);
});

Deno.test("list shows an ignored folder that is named", async () => {
  await using kit = await makeKit();
  await kit.put(".gitignore", "dist\n");
  await kit.put(".mm/.gitignore", "*\n");
  await kit.put("dist/a/b.js", "x");
  await kit.put(".mm/output/1.txt", "x");
  assert.match((await kit.call("list", { path: "dist" })).content, /b\.js/);
  assert.match(
    (await kit.call("list", { path: ".mm/output" })).content,
    /1\.txt/,
  );
});

Deno.test("list is bounded and shows the top of every folder", async () => {
  await using kit = await makeKit();
  for (let i = 0; i < 600; i++) await kit.put(`a/${i}`, "");
  await kit.put("b/c", "");
  const { content } = await kit.call("list", { depth: 5 });
  assert.ok(content.split("\n").length < 510);
  assert.match(content, /^b\//m);
  assert.match(content, /… \d+ more/);
  assert.match(content, /list cut at 500/);
});

Deno.test("list refuses what is no folder and survives loops and odd names", async () => {
  await using kit = await makeKit();
  await kit.put("a.txt", "");
  await kit.put("new\nline", "");
  await Deno.symlink(".", join(kit.project, "loop"));
  await assert.rejects(kit.call("list", { path: "a.txt" }), /use read/);
  await assert.rejects(kit.call("list", { path: "none" }), /Cannot find/);
  const { content } = await kit.call("list", { depth: 20 });
  assert.match(content, /loop -> \./);
  assert.match(content, /"new\\nline"/);
});
