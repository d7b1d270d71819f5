import assert from "node:assert/strict";
import { join } from "node:path";
import { plugin } from "../../../plugins/coding/plugin.ts";
import { call, type Step } from "../../scripted_model.ts";
import { lab, type LabOptions } from "./lab.ts";
import { removeDir, TempDir } from "../../temp_dir.ts";

/** A lab with the coding tools, in whose editor `buffers` are open. */
async function editor(
  steps: readonly Step[],
  buffers: Map<string, string>,
  options: LabOptions = {},
) {
  const dir = await Deno.realPath(await Deno.makeTempDir());
  const bundle = await plugin.open({
    off: [],
    timeout: 10,
    maxTimeout: 10,
    output: 30_000,
    hideEnv: [],
  }, {
    project: dir,
    env: () => undefined,
    version: "0",
    commands: [],
    now: () => new Date(),
  });
  const asked: string[] = [];
  const t = await lab(steps, {
    dir,
    bundles: [bundle],
    capabilities: { fs: { readTextFile: true, writeTextFile: true } },
    readFile({ path }) {
      asked.push(path);
      const text = buffers.get(path);
      return text === undefined
        ? Promise.reject(new Error("not found"))
        : Promise.resolve(text);
    },
    async writeFile({ path, content }) {
      buffers.set(path, content);
      await Deno.writeTextFile(path, content);
    },
    ...options,
  });
  const close = async () => {
    await t[Symbol.asyncDispose]();
    await removeDir(dir);
  };
  return { t: { ...t, [Symbol.asyncDispose]: close }, dir, asked };
}

Deno.test("read shows what the editor holds, saved or not", async () => {
  const buffers = new Map<string, string>();
  const { t, dir } = await editor([
    { toolCalls: [call("read", { path: "a.txt" })] },
    "ok",
  ], buffers);
  await using _ = t;
  const path = join(dir, "a.txt");
  await Deno.writeTextFile(path, "saved\n");
  buffers.set(path, "typed\nbut not saved\n");
  await t.ask(await t.open(), "go");
  assert.ok(toolText(t.model.requests).includes("1\ttyped"));
});

Deno.test("edit changes what the editor holds, through the editor", async () => {
  const buffers = new Map<string, string>();
  const { t, dir } = await editor([
    { toolCalls: [call("edit", { path: "a.txt", old: "typed", new: "new" })] },
    "ok",
  ], buffers);
  await using _ = t;
  const path = join(dir, "a.txt");
  await Deno.writeTextFile(path, "saved\n");
  buffers.set(path, "typed\n");
  const id = await t.open();
  await t.ask(id, "go");
  assert.equal(buffers.get(path), "new\n");
  assert.deepEqual(t.permissions[0]?.toolCall.content, [
    { type: "diff", path, oldText: "typed\n", newText: "new\n" },
  ]);
});

Deno.test("a file the editor cannot read is a new one, and is written (anomalyco/opencode#12850)", async () => {
  const buffers = new Map<string, string>();
  const { t, dir } = await editor([
    { toolCalls: [call("write", { path: "new.txt", content: "fresh\n" })] },
    "ok",
  ], buffers);
  await using _ = t;
  const id = await t.open();
  await t.ask(id, "go");
  const path = join(dir, "new.txt");
  assert.equal(buffers.get(path), "fresh\n");
  assert.deepEqual(t.permissions[0]?.toolCall.content, [
    { type: "diff", path, oldText: null, newText: "fresh\n" },
  ]);
});

Deno.test("a write the editor refuses is not made behind its back", async () => {
  const { t, dir } = await editor(
    [
      { toolCalls: [call("write", { path: "new.txt", content: "fresh\n" })] },
      "ok",
    ],
    new Map(),
    { writeFile: () => Promise.reject(new Error("denied")) },
  );
  await using _ = t;
  await t.ask(await t.open(), "go");
  await assert.rejects(Deno.stat(join(dir, "new.txt")), Deno.errors.NotFound);
  assert.ok(toolText(t.model.requests).includes("did not save"));
});

Deno.test("files outside the folders of the session are not the editor's", async () => {
  const { t, asked } = await editor([
    { toolCalls: [call("read", { path: "/etc/hostname" })] },
    "ok",
  ], new Map());
  await using _ = t;
  await t.ask(await t.open(), "go");
  assert.deepEqual(asked, []);
  assert.equal(t.permissions.length, 1);
});

Deno.test("additional directories are read without asking", async () => {
  await using beside = await TempDir.make();
  const more = beside.path;
  await Deno.writeTextFile(join(more, "b.txt"), "beside\n");
  const { t } = await editor([
    { toolCalls: [call("read", { path: join(more, "b.txt") })] },
    "ok",
  ], new Map());
  await using _ = t;
  await t.ask(await t.open({ additionalDirectories: [more] }), "go");
  assert.equal(t.permissions.length, 0);
  assert.ok(toolText(t.model.requests).includes("beside"));
});

Deno.test("an editor without files is not asked for any", async () => {
  const { t, dir, asked } = await editor(
    [
      { toolCalls: [call("read", { path: "a.txt" })] },
      "ok",
    ],
    new Map(),
    { capabilities: {} },
  );
  await using _ = t;
  await Deno.writeTextFile(join(dir, "a.txt"), "saved\n");
  await t.ask(await t.open(), "go");
  assert.deepEqual(asked, []);
  assert.ok(toolText(t.model.requests).includes("saved"));
});

function toolText(requests: readonly { messages: readonly unknown[] }[]) {
  return JSON.stringify(requests.at(-1)?.messages.at(-1))
    .replaceAll("\\t", "\t");
}
