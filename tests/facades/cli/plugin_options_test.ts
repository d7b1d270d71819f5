import assert from "node:assert/strict";
import { parse } from "yaml";
import { useEdits } from "../../../facades/cli/plugin/use_edits.ts";
import { Project } from "./project.ts";

const AGENT = `# Ours.
model:
  use: openai          # local
  name: "qwen3:8b"     # small
  baseURL: http://127.0.0.1:8080/v1

  headers: { X-A: "1" }  # who
`;

Deno.test("mm plugin add changes the options that are given, and keeps the others with their comments", async () => {
  await using project = await Project.make({ "agent.yaml": AGENT });
  const agentYaml = () => Deno.readTextFile(project.path("agent.yaml"));
  const add = (...args: string[]) =>
    project.mm(["plugin", "add", "openai", ...args]);

  const set = await add("-o", "name=foo", "-o", "headers.X-B=b");
  assert.equal(set.code, 0, set.stderr);
  assert.match(
    set.stderr,
    /Changed agent\.yaml: model\.name: foo; model\.headers\.X-B: b$/m,
  );
  const changed = AGENT.replace('"qwen3:8b"  ', "foo  ")
    .replace('{ X-A: "1" }', '{ X-A: "1", X-B: b }');
  assert.equal(await agentYaml(), changed);

  const again = await add("-o", "name=foo");
  assert.equal(again.code, 0);
  assert.match(
    again.stderr,
    /^Nothing to change: openai is in use like that$/m,
  );
  assert.equal(await agentYaml(), changed);

  const unset = await add("--unset", "headers", "--unset", "name");
  assert.equal(unset.code, 0, unset.stderr);
  assert.match(unset.stderr, /model\.headers removed; model\.name removed/);
  assert.deepEqual(parse(await agentYaml()), {
    model: { use: "openai", baseURL: "http://127.0.0.1:8080/v1" },
  });
  const absent = await add("--unset", "headers");
  assert.equal(absent.code, 2);
  assert.match(absent.stderr, /Cannot take option "headers" from openai/);
});

Deno.test("mm plugin add says nothing has changed where nothing has", async () => {
  await using project = await Project.make();
  const json = await project.mm(["plugin", "add", "json"]);
  assert.equal(json.code, 0);
  assert.match(json.stderr, /^Nothing to change: json is in use like that$/m);
  await assert.rejects(Deno.stat(project.path("agent.yaml")));
});

Deno.test("mm plugin add gives the servers' plugin its options where they stand", async () => {
  await using project = await Project.make({
    "agent.yaml": "mcp: # ours\n  servers: {}\n",
  });
  const add = await project.mm(["plugin", "add", "mcp", "-o", "timeout=5"]);
  assert.equal(add.code, 0, add.stderr);
  assert.equal(
    await Deno.readTextFile(project.path("agent.yaml")),
    "mcp: # ours\n  servers: {}\n  timeout: 5\n",
  );
});

Deno.test("another option of a store is no other store", async () => {
  await using project = await Project.make({
    "agent.yaml": "sessions:\n  store: { use: sqlite, path: talks.db } # 1\n",
  });
  await project.ask("one");
  const add = await project.mm(["plugin", "add", "sqlite", "-o", "timeout=9"]);
  assert.equal(add.code, 0, add.stderr);
  assert.doesNotMatch(add.stderr, /copied|there already/);
  assert.equal(
    await Deno.readTextFile(project.path("agent.yaml")),
    "sessions:\n  store: { use: sqlite, path: talks.db, timeout: 9 } # 1\n",
  );
  const { stdout } = await project.mm(["sessions", "--json"]);
  assert.equal(JSON.parse(stdout).length, 1);
});

Deno.test("useEdits() takes the place of another plugin, and of a value that is no map", () => {
  const path = ["model"];
  const set = { headers: { a: 1 } };
  const cases = [
    [undefined, [{ path, value: { use: "x", ...set } }]],
    [{ use: "y", name: "n" }, [{ path, value: { use: "x", ...set } }]],
    ["x", [{ path, value: { use: "x", ...set } }]],
    [
      { use: "x", headers: null },
      [{ path: ["model", "headers"], value: { a: 1 } }],
    ],
    [{ use: "x", headers: { a: 1, b: 2 } }, []],
  ] as const;
  for (const [use, edits] of cases) {
    const there = use === undefined ? { path } : { path, use };
    assert.deepEqual(useEdits("x", there, { set, unset: [] }).edits, edits);
  }
});
