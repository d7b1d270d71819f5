import assert from "node:assert/strict";
import { parse } from "yaml";
import { checkConfig, NO_SOURCE } from "../../../core/config.ts";
import {
  changeConfig,
  type ConfigText,
  saveConfig,
} from "../../../facades/cli/plugin/config_text.ts";
import { type Edit, editYaml } from "../../../facades/cli/plugin/edit.ts";
import { Project } from "./project.ts";

const STORE = ["sessions", "store"];

const TEXT = `# head
model: demo     # m

sessions:   # why
  enabled: true   # on
  store: json      # here

# tail
tools: { maxRounds: 3 } # n
`;

Deno.test("editYaml() changes a value in place and nothing else", () => {
  const sqlite = editYaml(TEXT, [{ path: STORE, value: "sqlite" }]);
  assert.equal(sqlite, TEXT.replace("store: json", "store: sqlite"));
  const value = { use: "sqlite", path: "a b.db" };
  const options = editYaml(TEXT, [{ path: STORE, value }]);
  assert.equal(
    options,
    TEXT.replace("store: json", "store: { use: sqlite, path: a b.db }"),
  );
  assert.equal(editYaml(options, [{ path: STORE, value: "json" }]), TEXT);
});

Deno.test("editYaml() adds what is missing, and takes it out again", () => {
  const cases = ["", "# only a comment\n", "model: demo  # m\n", TEXT];
  for (const text of cases) {
    const path = ["plugins", 0];
    const added = editYaml(text, [{ path, value: "./x.js" }]);
    assert(added.startsWith(text.trimEnd()));
    assert.deepEqual(parse(added).plugins, ["./x.js"]);
    const removed = editYaml(added, [{ path: ["plugins"], value: undefined }]);
    assert.equal(removed.trimEnd(), text.trimEnd());
  }
});

Deno.test("editYaml() keeps the comments of every shape and means what was asked", () => {
  const texts = [
    "sessions:\n  enabled: true   # 1\n\n# 2\nmodel: demo\n",
    "sessions: {enabled: true} # 1\n# 2\n",
    "sessions:   # 1\nmodel: demo  # 2\n",
    "sessions: # 1\n  # 2\n  store:\n    use: jsonl\n",
    "# 1\nsessions:\n    store: json # 2",
    "# 1\r\nsessions:\r\n  store: json # 2\r\n",
    "\"sessions\":\n  'store': 'json' # 1\n# 2\n",
    "sessions: &s # 1\n  store: json # 2\n",
  ];
  for (const text of texts) {
    for (const value of ["sqlite", { use: "sqlite", timeout: 1 }]) {
      const edited = editYaml(text, [{ path: STORE, value }]);
      assert.deepEqual(parse(edited).sessions.store, value, edited);
      assert.match(edited, /# 1/);
      assert.match(edited, /# 2/);
    }
  }
});

Deno.test("editYaml() takes one of several plugins out", () => {
  const text =
    "plugins:\n  - a # 1\n  - { use: b }\n  # 2\n  - c # 3\n\nmodel: x\n";
  const edited = editYaml(text, [{ path: ["plugins", 1], value: undefined }]);
  assert.equal(edited, text.replace("  - { use: b }\n", ""));
  const more = editYaml(text, [{ path: ["plugins", 3], value: "d" }]);
  assert.equal(more, text.replace("  - c # 3\n", "  - c # 3\n  - d\n"));
});

Deno.test("editYaml() ends lines as they ended", () => {
  const texts = [
    "# 1\r\nmodel: demo\r\n",
    "plugins:\r\n  - a # 1\r\n",
    "prompt: |\r\n  two\r\n  lines\r\n",
  ];
  for (const text of texts) {
    const edited = editYaml(text, [
      { path: ["plugins", 1], value: "b" },
      { path: STORE, value: "sqlite" },
    ]);
    assert(edited.startsWith(text), edited);
    assert.doesNotMatch(edited, /(?<!\r)\n/);
  }
});

Deno.test("editYaml() keeps braces, lines, blank lines and the mark of UTF-8", () => {
  const cases: [string, readonly Edit[], string][] = [
    [
      '{\n  "model": "demo",\n\n  "tools": { "maxRounds": 3 }\n}\n',
      [{ path: STORE, value: "sqlite" }, {
        path: ["tools", "off"],
        value: ["shell"],
      }],
      '{\n  "model": "demo",\n\n  "tools": { "maxRounds": 3, "off": ["shell"] },\n  "sessions": {"store":"sqlite"}\n}\n',
    ],
    [
      "{\n  model: demo,\n  plugins: [],\n}\n",
      [{ path: ["plugins", 0], value: "./x.js" }, {
        path: ["model"],
        value: undefined,
      }],
      "{\n  plugins: [./x.js],\n}\n",
    ],
    [
      "{\n  model: demo # 1\n}\n",
      [{ path: ["titles"], value: "model" }],
      "{\n  model: demo, # 1\n  titles: model\n}\n",
    ],
    [
      "{\n  model: demo, # 1\n\n  # 2\n}\n",
      [{ path: ["titles"], value: "model" }],
      "{\n  model: demo, # 1\n  titles: model\n\n  # 2\n}\n",
    ],
    [
      "{\n  model: demo }\n# 1\n",
      [{ path: ["titles"], value: "model" }],
      "{\n  model: demo,\n  titles: model }\n# 1\n",
    ],
    [
      "sessions:\n  store:\n    use: jsonl\n\n# 1\nmodel: demo\n",
      [{ path: STORE, value: { use: "sqlite", timeout: 1 } }],
      "sessions:\n  store: { use: sqlite, timeout: 1 }\n\n# 1\nmodel: demo\n",
    ],
    [
      "\ufeff# 1\n\n\nmodel: demo\n",
      [{ path: ["model"], value: "x" }],
      "\ufeff# 1\n\n\nmodel: x\n",
    ],
    [
      "plugins: [a, b, c]\n\n\ntitles: model\n",
      [{ path: ["plugins", 1], value: undefined }],
      "plugins: [a, c]\n\n\ntitles: model\n",
    ],
  ];
  for (const [text, edits, wanted] of cases) {
    assert.equal(editYaml(text, edits), wanted);
  }
});

Deno.test("editYaml() changes one option beside the others, however they are written", () => {
  const path = ["model", "headers", "X-A"];
  const cases: [string, string][] = [
    [
      "model:\n  use: openai # 1\n  headers:\n    X-B: b # 2\n",
      "model:\n  use: openai # 1\n  headers:\n    X-B: b # 2\n    X-A: a\n",
    ],
    [
      "model:\n  use: openai # 1\n",
      "model:\n  use: openai # 1\n  headers:\n    X-A: a\n",
    ],
    [
      "model: { use: openai, headers: { X-A: b } } # 1\n",
      "model: { use: openai, headers: { X-A: a } } # 1\n",
    ],
    [
      "model: {use: openai} # 1\n",
      "model: {use: openai, headers: { X-A: a }} # 1\n",
    ],
  ];
  for (const [text, wanted] of cases) {
    assert.equal(editYaml(text, [{ path, value: "a" }]), wanted);
  }
  assert.equal(
    editYaml("plugins:\n  - use: mcp # 1\n    timeout: 5\n", [
      { path: ["plugins", 0, "servers"], value: {} },
      { path: ["plugins", 0, "timeout"], value: undefined },
    ]),
    "plugins:\n  - use: mcp # 1\n    servers: {}\n",
  );
});

Deno.test("editYaml() leaves the value where an alias stood for something that goes", () => {
  const text =
    "model: # 1\n  use: demo\n  h: &h { a: 1 } # 2\n\nmcp: { h: *h, i: *h } # 3\n";
  assert.equal(
    editYaml(text, [{ path: ["model"], value: undefined }]),
    "\nmcp: { h: { a: 1 }, i: { a: 1 } } # 3\n",
  );
  assert.equal(
    editYaml("sessions: &c {}\ncompaction: *c\n", [
      { path: STORE, value: "sqlite" },
    ]),
    "sessions: &c { store: sqlite }\ncompaction: {}\n",
  );
  assert.equal(
    editYaml(text, [{ path: ["model", "h", "a"], value: 2 }]),
    "model: # 1\n  use: demo\n  h: &h { a: 2 } # 2\n\nmcp: { h: { a: 1 }, i: { a: 1 } } # 3\n",
  );
});

Deno.test("editYaml() refuses what it cannot change alone, and says what to do", () => {
  const texts = [
    "compaction: &c {}\nsessions: *c\n",
    "null\n",
    "!!set {model}\n",
  ];
  for (const text of texts) {
    assert.throws(
      () => editYaml(text, [{ path: STORE, value: "sqlite" }]),
      /^ConfigError: Cannot change agent\.yaml: sessions\.store .* make it sqlite by hand$/,
      text,
    );
  }
});

Deno.test("saveConfig() overwrites no change that was made meanwhile, and leaves nothing behind", async () => {
  await using project = await Project.make({ "agent.yaml": "model: demo\n" });
  const file = project.path("agent.yaml");
  const place = { project: project.path("."), cwd: project.path(".") };
  const loaded = { config: checkConfig({}), source: NO_SOURCE, file };
  const edits = [{ path: STORE, value: "sqlite" }];
  const next = await changeConfig(edits, { place, loaded });
  const fresh = { config: loaded.config, source: NO_SOURCE };
  await Deno.remove(file);
  const first = await changeConfig(edits, { place, loaded: fresh });
  for (const [made, is] of [[next, "titles: model\n"], [first, "x: 1\n"]]) {
    await Deno.writeTextFile(file, is as string);
    await assert.rejects(saveConfig(made as ConfigText), {
      message:
        `Cannot write ${file}: somebody else changed it meanwhile; run the command again`,
    });
    assert.equal(await Deno.readTextFile(file), is);
  }
  await Deno.remove(file);
  await assert.rejects(saveConfig(next), /somebody else changed it meanwhile/);
  await saveConfig(first);
  assert.equal(await Deno.readTextFile(file), first.text);
  const names = await Array.fromAsync(Deno.readDir(project.path(".")));
  assert.deepEqual(names.filter(({ name }) => name.endsWith(".tmp")), []);
});

Deno.test("changeConfig() leaves a file alone that is read-only", async () => {
  await using project = await Project.make({ "agent.yaml": "model: demo\n" });
  const file = project.path("agent.yaml");
  await Deno.chmod(file, 0o444);
  const place = { project: project.dir, cwd: project.dir };
  const loaded = { config: checkConfig({}), source: NO_SOURCE, file };
  await assert.rejects(
    changeConfig([{ path: STORE, value: "sqlite" }], { place, loaded }),
    { message: `Cannot write ${file}: it is read-only` },
  );
});
