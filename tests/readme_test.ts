import assert from "node:assert/strict";
import { join } from "node:path";
import { TempDir } from "./temp_dir.ts";

const ROOT = join(import.meta.dirname!, "..");
const README = await Deno.readTextFile(join(ROOT, "README.md"));

Deno.test("the README's program runs as it stands", async () => {
  const program = /```ts\n([^]*?)```/.exec(README)?.[1] ?? "";
  assert.match(program, /createAgent/);
  await using dir = await TempDir.make();
  const cwd = dir.path;
  await Deno.writeTextFile(join(cwd, "README.md"), "# Hello from here\n");
  await Deno.writeTextFile(join(cwd, "embed.ts"), program);
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--config", join(ROOT, "deno.json"), "embed.ts"],
    cwd,
    env: { NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder();
  assert.equal(code, 0, text.decode(stderr));
  assert.match(text.decode(stdout), /Hello/);
  const id = /done (\d{8}-\d{6}-[0-9a-f]{8})/.exec(text.decode(stdout))?.[1];
  const file = join(cwd, ".mm/sessions", `${id}.json`);
  assert.equal(JSON.parse(await Deno.readTextFile(file)).turns, 1);
});

Deno.test("the README's table names every package of the imports table, and no other", async () => {
  const { imports } = JSON.parse(
    await Deno.readTextFile(join(ROOT, "deno.json")),
  );
  const table = README.slice(README.indexOf("## What it is built on"));
  const named = [...table.matchAll(/`([^`]+)`/g)].map((m) => m[1] ?? "");
  const packages = Object.keys(imports).filter((name) => name !== "mm");
  for (const name of packages) assert.ok(named.includes(name), name);
  const others = named.filter((n) =>
    !packages.includes(n) && !/^(node:|@std|@cliffy|Deno\.|mm acp)/.test(n)
  );
  assert.deepEqual(others, []);
});

Deno.test("every file the documents link to is there, and every document is linked to", async () => {
  const docs = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"];
  const linked = new Set<string>();
  for await (const { name } of Deno.readDir(join(ROOT, "docs"))) {
    if (name.endsWith(".md")) docs.push(`docs/${name}`);
  }
  for (const doc of docs) {
    const text = await Deno.readTextFile(join(ROOT, doc));
    for (
      const [, target = ""] of text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)
    ) {
      linked.add(join(doc, "..", target));
      await assert.doesNotReject(
        Deno.stat(join(ROOT, doc, "..", target)),
        `${doc} links to ${target}`,
      );
    }
  }
  const lost = docs.filter((doc) =>
    doc.startsWith("docs/") && !linked.has(doc)
  );
  assert.deepEqual(lost, []);
});
