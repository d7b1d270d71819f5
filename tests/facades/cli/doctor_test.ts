import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { Project } from "./project.ts";

const BROKEN = "20260101-000000-00000000";
const TEMP = ".20260101-000000-00000001.7.0a0b0c0d.tmp";

for (const [store, ending] of [["json", "json"], ["jsonl", "jsonl"]]) {
  Deno.test(`mm doctor --repair sets what is unreadable aside, in ${store}`, async () => {
    const broken = `.mm/sessions/${BROKEN}.${ending}`;
    await using project = await Project.make({
      "agent.yaml": `sessions: { store: ${store} }\n`,
      [broken]: "{\n",
      [`.mm/sessions/${TEMP}`]: "{",
    });
    await Deno.utime(project.path(`.mm/sessions/${TEMP}`), 0, 0);
    const before = await doctor(project);
    assert.equal(before.code, 1);
    assert.deepEqual(before.bad, [["sessions", "fail"], ["store", "warn"]]);
    assert.equal(await Deno.readTextFile(project.path(broken)), "{\n");

    const repaired = await doctor(project, "--repair");
    assert.equal(repaired.code, 0, JSON.stringify(repaired.checks));
    const details = repaired.checks.map((c) => c.detail).join("\n");
    assert.match(details, /removed \.20260101\S+ of an interrupted write/);
    assert.match(details, /set 20260101\S+ aside as \S+unreadable-1/);
    const aside = broken.replace(`.${ending}`, `.unreadable-1.${ending}`);
    assert.equal(await Deno.readTextFile(project.path(aside)), "{\n");
    const after = await doctor(project);
    assert.equal(after.code, 0);
    assert.deepEqual(after.bad, [["sessions", "warn"], ["store", "warn"]]);
    // Why it was set aside stays known.
    const [, reason = ""] = /aside as \S+: (.*)/.exec(details) ?? [];
    const kept = after.checks.find(({ name }) => name === "store")?.detail;
    assert(kept?.endsWith(`was set aside: ${reason}`), `${kept}`);
  });
}

for (const store of ["json", "jsonl"]) {
  Deno.test(`mm doctor --repair leaves what a newer mm wrote to it, in ${store}`, async () => {
    await using project = await Project.make({
      "agent.yaml": `sessions: { store: ${store} }\n`,
    });
    const [id] = await project.ask("one");
    const file = project.path(`.mm/sessions/${id}.${store}`);
    const text = await Deno.readTextFile(file);
    const newer = text.replace(`"version":1`, `"version":2`);
    await Deno.writeTextFile(file, newer);
    const { code, bad, checks } = await doctor(project, "--repair");
    assert.equal(code, 1);
    assert.deepEqual(bad, [["sessions", "fail"]], JSON.stringify(checks));
    assert.equal(await Deno.readTextFile(file), newer);
  });
}

Deno.test("mm doctor reads each conversation, not only what a listing shows", async () => {
  await using project = await Project.make();
  const [id] = await project.ask("one");
  const file = project.path(`.mm/sessions/${id}.json`);
  const text = await Deno.readTextFile(file);
  await Deno.writeTextFile(
    file,
    text.replace(`"role":"assistant"`, `"role":7`),
  );
  const { code, bad } = await doctor(project);
  assert.equal(code, 1);
  assert.deepEqual(bad, [["sessions", "fail"]]);
});

Deno.test("mm doctor tells whether the database is sound", async () => {
  await using project = await Project.make({
    "agent.yaml": "sessions: { store: sqlite }\n",
  });
  await project.ask("one");
  const { code, checks } = await doctor(project);
  assert.equal(code, 0);
  const details = checks.map((c) => c.detail).join("\n");
  assert.match(details, /sessions\.db is sound \(integrity_check\)/);
  assert.match(details, /its log holds 0\.0 MB/);
});

Deno.test("mm doctor --repair saves what can be read of a damaged database", async () => {
  await using project = await Project.make({
    "agent.yaml": "sessions: { store: sqlite }\n",
  });
  const [id = ""] = await project.ask("one");
  const file = project.path(".mm/sessions.db");
  const db = new DatabaseSync(file);
  const { page } = db.prepare(
    "SELECT rootpage AS page FROM sqlite_schema WHERE name = 'idx_events_session'",
  ).get()!;
  db.close();
  const bytes = await Deno.readFile(file);
  const end = 4096 * Number(page);
  await Deno.writeFile(file, bytes.fill(7, end - 4096, end));
  const before = await doctor(project);
  assert.equal(before.code, 1);
  assert.match(
    before.checks.map((c) => c.detail).join("\n"),
    /mm doctor --repair saves what can be read/,
  );
  const repaired = await doctor(project, "--repair");
  assert.equal(repaired.code, 0, JSON.stringify(repaired.checks));
  assert.equal((await doctor(project)).code, 0);
  const shown = await project.mm(["sessions", "show", id]);
  assert.match(shown.stdout, /The answer is 42/);
});

Deno.test("mm doctor fails by every configuration that mm run fails by", async () => {
  const mistakes: Record<string, RegExp> = {
    "plugins: [weather]": /there is no plugin "weather"/,
    "plugins: [sqlite]": /"sqlite" is a store, not a plugin/,
    "plugins: [{ use: coding, timout: 3 }]": /timout/,
    "compaction: { use: nope }": /there is no plugin "nope"/,
    "mcp: { servers: { gone: { command: /nonexistent } } }": /gone.*nonexist/,
  };
  for (const [text, problem] of Object.entries(mistakes)) {
    await using project = await Project.make({ "agent.yaml": `${text}\n` });
    const { code, checks } = await doctor(
      project,
      "--config",
      project.path("agent.yaml"),
    );
    assert.equal(code, 1, text);
    const failed = checks.filter(({ name, status }) =>
      status === "fail" && name !== "model"
    );
    assert.equal(failed.length, 1, JSON.stringify(checks));
    assert.match(failed[0]!.detail, problem);
  }
});

Deno.test("mm doctor starts no server of a configuration that is not trusted", async () => {
  await using project = await Project.make({
    "agent.yaml":
      "mcp: { servers: { own: { command: touch, args: [started] } } }\n",
  });
  await doctor(project);
  await assert.rejects(Deno.stat(project.path("started")));
});

interface Check {
  readonly name: string;
  readonly status: string;
  readonly detail: string;
}

async function doctor(project: Project, ...args: readonly string[]) {
  const { code, stdout } = await project.mm(["doctor", "--json", ...args]);
  const { checks } = JSON.parse(stdout) as { checks: Check[] };
  const bad = checks
    .filter(({ name, status }) => status !== "ok" && name !== "model")
    .map(({ name, status }) => [name, status]);
  return { code, checks, bad };
}
