import assert from "node:assert/strict";
import { keepers, plugins } from "../../../plugins/table.ts";
import { openForTest } from "../../store_suite/open.ts";
import { ChatServer } from "./chat_server.ts";
import { Project } from "./project.ts";

Deno.test("mm sessions search finds what other stores of the project hold, and says how to open it", async () => {
  await using project = await Project.make();
  const [left = ""] = await project.ask("foxes on json");
  await use(project, "jsonl");
  const [line = ""] = await project.ask("foxes and foxes in lines");
  await use(project, "sqlite");
  const [here = ""] = await project.ask("foxes in the database");

  const found = await search(project, "foxes");
  assert.deepEqual(
    new Map(found.map(({ id, store }) => [id, store])),
    new Map([[here, undefined], [line, "jsonl"], [left, "json"]]),
  );
  const scores = found.map(({ score }) => score);
  assert.deepEqual(scores, scores.toSorted((a, b) => b - a));
  assert.deepEqual([scores[0], scores[1]], [1, 1]);

  const { code, stdout, stderr } = await project.mm(
    ["sessions", "search", "foxes", "json"],
  );
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    new RegExp(`^${left} .*foxes on json.* · in json$`, "m"),
  );
  assert.equal(
    stderr,
    `In json: to open it here, mm sessions copy --from json ${left}\n`,
  );
  const way = /copy --from json \S+/.exec(stderr)![0].split(" ");
  assert.equal((await project.mm(["sessions", ...way])).code, 0);
  const again = (await search(project, "foxes")).find(({ id }) => id === left);
  assert.equal(again?.store, undefined);
});

Deno.test("mm sessions search finds a conversation that two stores hold once, as the configured one has it", async () => {
  await using project = await Project.make();
  const [id = ""] = await project.ask("about foxes");
  const add = await project.mm(["plugin", "add", "sqlite", "--yes"]);
  assert.equal(add.code, 0, add.stderr);
  await using server = new ChatServer("Wolves.");
  const go = ["run", "--base-url", server.url, "--session", id, "And wolves?"];
  assert.equal((await project.mm(go)).code, 0);
  for (const word of ["foxes", "wolves"]) {
    const found = await search(project, word);
    assert.deepEqual(found.map((f) => [f.id, f.store]), [[id, undefined]]);
  }
});

Deno.test("mm sessions search looks into the usual place of the configured kind of store, too", async () => {
  await using project = await Project.make();
  await use(project, "sqlite");
  const [usual = ""] = await project.ask("foxes in the usual place");
  await use(project, "{ use: sqlite, path: mine.db }");
  const [mine = ""] = await project.ask("foxes in mine");
  const found = await search(project, "foxes");
  assert.deepEqual(
    new Map(found.map(({ id, store }) => [id, store])),
    new Map([[mine, undefined], [usual, "{use: sqlite}"]]),
  );
  const { stderr } = await project.mm(["sessions", "search", "usual"]);
  assert.match(stderr, /mm sessions copy --from "\{use: sqlite\}" 2/);
  const copy = ["sessions", "copy", "--from", "{use: sqlite}", usual];
  assert.equal((await project.mm(copy)).code, 0);
  assert.equal((await project.mm(["sessions", "show", usual])).code, 0);
});

Deno.test("mm sessions search reports a store that cannot be opened, and searches the rest", async () => {
  for (const store of ["json", "sqlite"]) {
    await using project = await Project.make();
    const [id] = await project.ask("about foxes");
    await use(project, store);
    await project.write(".mm/sessions.db", "This is no database. ".repeat(99));
    const { code, stdout, stderr } = await project.mm(
      ["sessions", "search", "foxes", "--json"],
    );
    assert.equal(code, 1);
    assert.match(stderr, /sessions\.db": the file is not a SQLite database/);
    assert.deepEqual(JSON.parse(stdout).map((f: Found) => f.id), [id]);
  }
});

Deno.test("mm sessions search counts what is unreadable, where it is", async () => {
  await using project = await Project.make({
    ".mm/sessions/20260101-000000-00000000.json": "{",
    "agent.yaml": "sessions: { store: jsonl }\n",
  });
  const { code, stderr } = await project.mm(["sessions", "search", "foxes"]);
  assert.equal(code, 0);
  assert.match(stderr, /^1 not searched, unreadable, in json$/m);
});

Deno.test("mm sessions search tells which store to choose where nothing is kept", async () => {
  await using project = await Project.make();
  await project.ask("about foxes");
  for (const sessions of ["{ store: ring }", "{ enabled: false }"]) {
    await project.write("agent.yaml", `sessions: ${sessions}\n`);
    const { stderr } = await project.mm(["sessions", "search", "foxes"]);
    assert.equal(
      stderr,
      "In json: to open it, set sessions.store: json in agent.yaml\n",
    );
  }
});

Deno.test("mm sessions search makes no file", async () => {
  await using project = await Project.make({ "a.txt": "" });
  assert.deepEqual(await search(project, "foxes"), []);
  const names = [...Deno.readDirSync(project.dir)].map(({ name }) => name);
  assert.deepEqual(names.toSorted(), [".home", "a.txt"]);
});

Deno.test("the keepers are the built-in stores that survive a restart", async () => {
  const found: string[] = [];
  for (const [name, load] of Object.entries(plugins)) {
    if ((await load()).kind !== "store") continue;
    await using store = await openForTest(name, "/nowhere");
    if (store.supports.durable) found.push(name);
  }
  assert.deepEqual(found, keepers);
});

interface Found {
  readonly id: string;
  readonly score: number;
  readonly store?: string;
}

async function search(
  project: Project,
  ...words: readonly string[]
): Promise<readonly Found[]> {
  const { stdout } = await project.mm(
    ["sessions", "search", "--json", "--quiet", "--", ...words],
  );
  return JSON.parse(stdout);
}

function use(project: Project, store: string): Promise<void> {
  return project.write("agent.yaml", `sessions: { store: ${store} }\n`);
}

Deno.test("mm sessions search finds the same in every store: titles, words apart, any script, any accent", async () => {
  await using project = await Project.make();
  await use(project, "json");
  const [apart = ""] = await project.ask("foxes at noon");
  const again = ["run", "--model", "demo", "--session", apart, "wolves later"];
  assert.equal((await project.mm(again)).code, 0);
  const [, named = ""] = await project.ask("nothing in it");
  await project.mm(["sessions", "rename", named, "Kangaroo day"]);
  const [, , script = ""] = await project.ask("日本語のテスト 👩‍👩‍👧 cafe\u0301 (");
  const [, , , letter = "", signs = ""] = await project.ask(
    "(c) vitamin c, c and once more c",
    'C++ or ΣΊΣΥΦΟΣ: run* the -café, it "quoted words"',
  );
  const wanted = {
    "foxes wolves": apart,
    kangaroo: named,
    "kangaroo nothing": named,
    "日本": script,
    "👩‍👩‍👧": script,
    "café テ": script,
    "cafe テ": script,
    "cafe\u0301 ( テ": script,
    vitamin: letter,
    "c++": signs,
    "run*": signs,
    "-café": signs,
    "-CAFE": signs,
    '"quoted': signs,
    "σισυφος": signs,
    "σίσυφος": signs,
  };
  for (const store of ["json", "jsonl", "sqlite"]) {
    const add = await project.mm(["plugin", "add", store, "--yes"]);
    assert.equal(add.code, 0, add.stderr);
    if (store === "sqlite") { // as its own events, and not only as copied
      const more = ["run", "--model", "demo", "--session", apart, "zebras"];
      assert.equal((await project.mm(more)).code, 0);
      assert.deepEqual(
        (await search(project, "zebras", "foxes")).map(({ id }) => id),
        [apart],
      );
    }
    for (const [words, id] of Object.entries(wanted)) {
      const found = await search(project, ...words.split(" "));
      assert.deepEqual(found.map((f) => f.id), [id], `${store}: ${words}`);
    }
    const ids = async (phrase: string) =>
      (await search(project, phrase)).map(({ id }) => id);
    assert.deepEqual(await ids("quoted words"), [signs], store);
    assert.deepEqual(await ids("words quoted"), [], store);
  }
});

Deno.test("mm sessions search says when there are more", async () => {
  for (const store of ["json", "sqlite"]) {
    await using project = await Project.make();
    await use(project, store);
    await project.ask("fox one", "fox two", "fox three");
    const some = ["sessions", "search", "fox", "--limit"];
    const two = await project.mm([...some, "2"]);
    assert.equal(two.stdout.match(/^2\d{7}-/gm)?.length, 2);
    assert.equal(
      two.stderr,
      "These are the best 2; for more, --limit 20\n",
    );
    assert.equal((await project.mm([...some, "3"])).stderr, "");
  }
});
