import assert from "node:assert/strict";
import { Project } from "./project.ts";

const BROKEN = "20260101-000000-00000000";

Deno.test("mm sessions copy goes between any two stores, again and again", async () => {
  await using project = await Project.make();
  const ids = await project.ask("one", "two");
  const states = await Promise.all(ids.map((id) => show(project, id, "json")));
  const way = ["json", "sqlite", "jsonl", "{use: sqlite, path: other.db}"];
  for (const [i, to] of way.slice(1).entries()) {
    const args = ["--from", way[i]!, "--to", to];
    assert.deepEqual(await copy(project, ...args), ["copied", "copied"]);
    assert.deepEqual(await copy(project, ...args), ["same", "same"]);
    assert.deepEqual(
      await Promise.all(ids.map((id) => show(project, id, to))),
      states,
    );
  }
});

Deno.test("mm sessions copy takes what is named, and the configured store where none is", async () => {
  await using project = await Project.make({
    "agent.yaml": "sessions: { store: { use: sqlite, path: mine.db } }\n",
  });
  const ids = await project.ask("about foxes", "about bears");
  const one = await project.mm(
    ["sessions", "copy", "-1", "foxes", "--to", "jsonl"],
  );
  assert.equal(one.code, 0, one.stderr);
  assert.equal(one.stderr, "From sqlite to jsonl: 2 copied\n");
  await Deno.remove(project.path("mine.db")); // rm would remove the copies, too
  const back = await copy(project, "--from", "jsonl", "--to", "sqlite");
  assert.deepEqual(back, ["copied", "copied"]);
  assert.equal((await show(project, ids[0]!)).title, "about foxes");
});

Deno.test("mm sessions copy reports what cannot be read, exit code 1", async () => {
  await using project = await Project.make({
    [`.mm/sessions/${BROKEN}.json`]: "{",
  });
  const id = (await project.ask("one")).at(-1);
  const { code, stderr } = await project.mm([
    "sessions",
    "copy",
    "--to",
    "jsonl",
  ]);
  assert.equal(code, 1);
  assert.match(stderr, /From json to jsonl: 1 unreadable, 1 copied/);
  assert.match(stderr, new RegExp(`^ {2}${BROKEN}: Cannot read`, "m"));
  assert.equal((await show(project, id!, "jsonl")).title, "one");
});

Deno.test("mm sessions copy tells which store is wrong", async () => {
  await using project = await Project.make();
  await project.ask("one");
  const wrong: [args: string[], why: RegExp][] = [
    [[], /Cannot copy from "json" to itself: give two stores/],
    [["--to", "json"], /to itself/],
    [["--to", "jsn"], /there is no plugin "jsn": did you mean "json"\?/],
    [["--to", "demo"], /"demo" is a model, not a store/],
    [["--to", "ring"], /keeps nothing when mm ends/],
    [["--from", "{use: sqlite, pth: x}"], /pth: unknown key/],
    [["--from", "{"], /expected a store's name or \{use: name/],
    [["--to", "./x.js"], /Cannot use plugin "\.\/x\.js": there is no file/],
    [
      ["--from", "talks.db"],
      /--from "talks\.db": a database is named as "\{use: sqlite, path: talks\.db\}"/,
    ],
    [["nope", "--to", "jsonl"], /Cannot find session "nope"/],
    [
      ["--from", "jsonl", "--to", "json", "-1"],
      /^Cannot copy "-1": no conversation is in jsonl$/m,
    ],
  ];
  for (const [args, why] of wrong) {
    const { code, stderr } = await project.mm(["sessions", "copy", ...args]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, why);
  }
});

async function copy(
  project: Project,
  ...args: readonly string[]
): Promise<string[]> {
  const { code, stdout, stderr } = await project.mm([
    "sessions",
    "copy",
    "--json",
    ...args,
  ]);
  assert.equal(code, 0, stderr);
  const { sessions } = JSON.parse(stdout) as { sessions: { status: string }[] };
  return sessions.map(({ status }) => status);
}

async function show(project: Project, id: string, store?: string) {
  if (store) {
    await project.write("show.yaml", `sessions: { store: ${store} }\n`);
  }
  const config = store ? ["--config", "show.yaml"] : [];
  const { stdout } = await project.mm(
    ["sessions", "show", id, "--json", ...config],
  );
  return JSON.parse(stdout);
}
