import assert from "node:assert/strict";
import { join } from "node:path";
import { ABOUT } from "../../../facades/cli/plugin/about.ts";
import { plugins } from "../../../plugins/table.ts";
import { Project } from "./project.ts";

Deno.test("mm plugin list shows every built-in plugin, and where it is used", async () => {
  await using project = await Project.make({
    "agent.yaml": "sessions: { store: jsonl }\nplugins: [./gone.js]\n",
  });
  const { code, stdout } = await project.mm(["plugin", "--json"]);
  assert.equal(code, 0);
  const listed = JSON.parse(stdout) as { name: string; usedBy: string[] }[];
  assert.deepEqual(
    listed.map(({ name }) => name),
    [...Object.keys(plugins), "./gone.js"],
  );
  const used = listed.filter(({ usedBy }) => usedBy.length > 0)
    .map(({ name, usedBy }) => [name, ...usedBy]);
  assert.deepEqual(used, [["jsonl", "sessions.store"], [
    "./gone.js",
    "plugins.0",
  ]]);
  const text = (await project.mm(["plugin", "list"])).stdout;
  assert.match(text, /^jsonl +store +one log per .* \[sessions\.store\]$/m);
  assert.match(text, /^\.\/gone\.js .*there is no file/m);
  const typo = await project.mm(["plugin", "ad"]);
  assert.equal(typo.code, 2);
  assert.match(typo.stderr, /did you mean mm plugin add\?/);
});

Deno.test("mm plugin info tells kind, use and options", async () => {
  await using project = await Project.make();
  const { stdout } = await project.mm(["plugin", "info", "sqlite"]);
  assert.match(stdout, /^sqlite \(store\): all conversations in one database/);
  assert.match(stdout, /^Built in, not used$/m);
  assert.match(stdout, /^ {2}path: string, default "\.mm\/sessions\.db"$/m);
  assert.match(stdout, /^ {2}timeout: integer, default 5000$/m);
  const openai = await project.mm(["plugin", "info", "openai"]);
  assert.match(
    openai.stdout,
    /^ {2}watchdogTimeout: number or string, default 120; seconds, or a /m,
  );
  assert.match(openai.stdout, /^ {2}accepts: list of "image" or "audio"$/m);
  const coding = await project.mm(["plugin", "info", "coding"]);
  assert.match(coding.stdout, /^Built in, always used$/m);
  const json = await project.mm(["plugin", "info", "openai", "--json"]);
  assert.equal(JSON.parse(json.stdout).kind, "model");
  const typo = await project.mm(["plugin", "info", "sqlit"]);
  assert.equal(typo.code, 2);
  assert.match(typo.stderr, /did you mean "sqlite"\?/);
});

Deno.test("mm plugin info of what cannot be found is an error, and advises nothing that is refused", async () => {
  await using project = await Project.make({ "broken.js": "throw 1;" });
  const lost: [string, RegExp][] = [
    ["./nope.js", /^Cannot use plugin "\.\/nope\.js": there is no file /],
    ["/etc/passwd", /expected an ES module/],
    ["http://x/y.js", /neither a path nor npm:<package>/],
    ["npm:../x", /expected npm:<package> or npm:<package>@<version>$/m],
    ["npm:unpinned", /run mm plugin add npm:unpinned$/m],
  ];
  for (const [name, why] of lost) {
    const info = await project.mm(["plugin", "info", name]);
    assert.equal(info.code, 2);
    assert.equal(info.stdout, "");
    assert.match(info.stderr, why);
  }
  await project.mm(["plugin", "trust", "./broken.js", "--yes"]);
  const broken = await project.mm(["plugin", "info", "./broken.js"]);
  assert.equal(broken.code, 1);
  assert.match(broken.stdout, /^Cannot use plugin .*importing it failed/m);
});

Deno.test("every built-in plugin is described, in docs/plugins.md too", async () => {
  assert.deepEqual(Object.keys(ABOUT).sort(), Object.keys(plugins).sort());
  const docs = join(import.meta.dirname!, "../../../docs/plugins.md");
  const text = await Deno.readTextFile(docs);
  for (const [name, load] of Object.entries(plugins)) {
    const { kind } = await load();
    assert.match(text, new RegExp(`^\\| \`${name}\` +\\| ${kind} `, "m"));
  }
});
