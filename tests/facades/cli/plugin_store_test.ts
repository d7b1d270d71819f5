import assert from "node:assert/strict";
import { bundle, example } from "../../plugins/external/bundled.ts";
import { ChatServer } from "./chat_server.ts";
import { Project } from "./project.ts";

// deno-lint-ignore no-explicit-any -- as it is printed
type Shown = any;

const AGENT = `# Our agent.
model: demo   # for now

sessions:     # all of them
  store: json    # readable

# The end.
`;

Deno.test("mm plugin add and remove move the conversations and leave the comments", async () => {
  await using project = await Project.make({ "agent.yaml": AGENT });
  const ids = await project.ask("about foxes", "about bears", "about wolves");
  const before = await states(project, ids);

  const add = await project.mm(["plugin", "add", "sqlite", "--yes"]);
  assert.equal(add.code, 0, add.stderr);
  assert.match(add.stderr, /From json to sqlite: 3 copied/);
  assert.match(add.stderr, /Changed agent\.yaml: sessions\.store: sqlite/);
  assert.equal(
    await agentYaml(project),
    AGENT.replace("store: json ", "store: sqlite "),
  );
  assert.deepEqual(await states(project, ids), before);

  await using server = new ChatServer("Lynxes are shy.");
  const go = ["run", "--base-url", server.url, "--session", ids[1]!, "Lynxes?"];
  assert.equal((await project.mm(go)).code, 0);
  const continued = await states(project, ids);
  assert.equal(continued[1].turns, 2);
  assert.deepEqual(continued[0], before[0]);
  assert.deepEqual(await search(project, "lynxes"), [ids[1]]);
  assert.deepEqual(await search(project, "foxes"), [ids[0]]);

  const remove = await project.mm(["plugin", "remove", "sqlite", "--yes"]);
  assert.equal(remove.code, 0, remove.stderr);
  assert.match(remove.stderr, /2 there already, 1 brought up to date/);
  assert.equal(await agentYaml(project), AGENT);
  assert.deepEqual(await states(project, ids), continued);
  assert.deepEqual(await search(project, "lynxes"), [ids[1]]);
  const all =
    (await project.mm(["sessions", "list", "--all", "--json"])).stdout;
  assert.equal(JSON.parse(all).length, 3);
});

Deno.test("mm plugin add asks before it copies, and says how where nobody can answer", async () => {
  await using project = await Project.make();
  await project.ask("one");
  const { code, stderr } = await project.mm(["plugin", "add", "jsonl"]);
  assert.equal(code, 2);
  assert.match(stderr, /without asking: add --yes, or --no-copy/);
  await assert.rejects(Deno.stat(project.path("agent.yaml")));
  const alone = await project.mm(["plugin", "add", "jsonl", "--no-copy"]);
  assert.equal(alone.code, 0);
  assert.match(alone.stderr, /Wrote agent\.yaml: sessions\.store: jsonl/);
  assert.equal(await agentYaml(project), "sessions:\n  store: jsonl\n");
  assert.deepEqual(
    JSON.parse((await project.mm(["sessions", "--json"])).stdout),
    [],
  );
});

Deno.test("mm plugin add checks the options and changes nothing when one is wrong", async () => {
  await using project = await Project.make({ "agent.yaml": AGENT });
  const add = (...options: string[]) =>
    project.mm(["plugin", "add", "sqlite", "--yes", ...options]);
  const wrong = await add("-o", "pth=x.db");
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /pth: unknown key, did you mean "path"\?/);
  assert.equal(await agentYaml(project), AGENT);
  assert.equal((await add("-o", "path=x.db", "-o", "timeout=10")).code, 0);
  assert.match(
    await agentYaml(project),
    /store: \{ use: sqlite, path: x\.db, timeout: 10 \} {4}# readable/,
  );
  const typo = await project.mm(["plugin", "add", "sqlit"]);
  assert.equal(typo.code, 2);
  assert.match(typo.stderr, /did you mean "sqlite"\?/);
  const absent = await project.mm(["plugin", "remove", "jsonl"]);
  assert.equal(absent.code, 2);
  assert.match(absent.stderr, /agent\.yaml does not name it/);
});

Deno.test("mm plugin add says which configuration it changes, and refuses a link that leads nowhere", async () => {
  const own = ".home/.config/mm/agent.yaml";
  await using project = await Project.make({ [own]: "# mine\n" });
  const HOME = project.path(".home");
  const add = () =>
    project.mm(["plugin", "add", "jsonl"], {
      env: { HOME, XDG_CONFIG_HOME: project.path(".home/.config") },
    });
  const { code, stderr } = await add();
  assert.equal(code, 0, stderr);
  assert.match(stderr, /That is your own configuration, for every project/);
  assert.match(await Deno.readTextFile(project.path(own)), /store: jsonl/);

  await Deno.remove(project.path(own));
  await Deno.symlink("nowhere", project.path("agent.yaml"));
  const refused = await add();
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /agent\.yaml: it is a link that leads nowhere/);
});

Deno.test("mm plugin remove leaves what is there by default", async () => {
  await using project = await Project.make();
  for (const name of ["json", "summary"]) {
    const { code, stderr } = await project.mm(["plugin", "remove", name]);
    assert.equal(code, 2);
    assert.match(stderr, new RegExp(`^Cannot remove plugin "${name}": it is`));
  }
  await assert.rejects(Deno.stat(project.path("agent.yaml")));
});

Deno.test("mm plugin add keeps the store when a conversation cannot be copied", async () => {
  await using project = await Project.make({ "agent.yaml": AGENT });
  const [id] = await project.ask("one");
  await project.mm(["sessions", "copy", "--to", "jsonl"]);
  // Both go on, each its own way.
  await using server = new ChatServer("Yes.");
  const go = ["run", "--base-url", server.url, "--session", id!];
  await project.mm([...go, "on json"]);
  await project.write("other.yaml", "sessions: { store: jsonl }\n");
  await project.mm([...go, "--config", "other.yaml", "on jsonl"]);
  const { code, stderr } = await project.mm(["plugin", "add", "jsonl", "-y"]);
  assert.equal(code, 1);
  assert.match(stderr, /1 different, left alone/);
  assert.match(stderr, /Still in use: json/);
  assert.equal(await agentYaml(project), AGENT);
});

Deno.test("the example store of docs/plugins.md takes over the conversations and gives them back", async () => {
  const shelf = await bundle(await example("shelf"));
  await using project = await Project.make({
    "agent.yaml": AGENT,
    "shelf.js": shelf,
  });
  const ids = await project.ask("about foxes", "about bears");
  const before = await states(project, ids);
  const add = await project.mm(["plugin", "add", "./shelf.js", "--yes"]);
  assert.equal(add.code, 0, add.stderr);
  assert.match(await agentYaml(project), /store: \.\/shelf\.js {4}# readable/);
  assert.deepEqual(await states(project, ids), before);
  assert.deepEqual(await search(project, "bears"), [ids[1]]);
  const more = await project.ask("about owls");
  assert.equal(more.length, 3);
  const remove = await project.mm(["plugin", "remove", "./shelf.js", "-y"]);
  assert.equal(remove.code, 0, remove.stderr);
  assert.match(remove.stderr, /2 there already, 1 copied|1 copied, 2 there/);
  assert.equal(await agentYaml(project), AGENT);
  assert.deepEqual(await states(project, ids), before);
});

async function states(
  project: Project,
  ids: readonly string[],
): Promise<Shown[]> {
  return await Promise.all(ids.map(async (id) => {
    const { code, stdout, stderr } = await project.mm([
      "sessions",
      "show",
      id,
      "--json",
    ]);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  }));
}

async function search(project: Project, word: string): Promise<string[]> {
  const { stdout } = await project.mm(["sessions", "search", word, "--json"]);
  return JSON.parse(stdout).map(({ id }: { id: string }) => id);
}

function agentYaml(project: Project): Promise<string> {
  return Deno.readTextFile(project.path("agent.yaml"));
}
