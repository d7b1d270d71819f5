import assert from "node:assert/strict";
import { bundle } from "../../plugins/external/bundled.ts";
import { command, startMm } from "../../mm.ts";
import { until } from "../../until.ts";
import { NO_TMUX, Terminal } from "../terminal/tmux.ts";
import { Project } from "./project.ts";

const AGENT = "sessions: { store: json } # ours\n";
const BROKEN = "20260101-120000-0badf00d";

/** A store whose third conversation is told by `third`, a statement. */
function full(third: string): Promise<string> {
  return bundle(`
import { readFileSync, writeFileSync } from "node:fs";
import * as mm from "mm";
import { strictObject } from "zod/mini";

class Full {
  readonly name = "full";
  readonly supports = { durable: true, bounded: false, live: false };
  readonly #all = new Map<string, mm.SessionState>();
  constructor(readonly file: string) {}
  async append(id: string, events: readonly mm.SessionEvent[]) {
    if (this.#all.size >= 2) { ${third} }
    this.#all.set(id, events.reduce(mm.fold, this.#all.get(id) ?? mm.empty()));
    for (const end of ["", "-wal"]) writeFileSync(this.file + end, String(this.#all.size));
  }
  read = (id: string) => Promise.resolve(this.#all.get(id));
  list = (query?: mm.ListQuery) => Promise.resolve(mm.paginate(
    [...this.#all].map(([id, state]) => mm.summarize(id, state)), query));
  async move() {}
  async remove() {}
  async [Symbol.asyncDispose]() {}
}

export const plugin = mm.defineStore({
  name: "full",
  options: strictObject({}),
  open: (_options, host) => new Full(host.project + "/full.db"),
});`);
}

Deno.test("mm plugin add stops at the first conversation that cannot be written, and leaves nothing of it", async () => {
  await using project = await Project.make({
    "agent.yaml": AGENT,
    "full.js": await full(
      `throw new mm.UserError("Cannot save: the disk is full")`,
    ),
  });
  await project.ask("one", "two", "three", "four");
  const add = await project.mm(["plugin", "add", "./full.js", "--yes"]);
  assert.equal(add.code, 1);
  assert.match(add.stderr, /From json to full: 2 copied, 1 failed/);
  assert.equal(add.stderr.match(/the disk is full/g)?.length, 1);
  assert.match(add.stderr, /Still in use: json\. Mend that, and try again/);
  assert.match(add.stderr, /What was copied so far is removed/);
  const names = await Array.fromAsync(Deno.readDir(project.dir), (e) => e.name);
  assert.deepEqual(names.filter((name) => name.startsWith("full.db")), []);
  await unchanged(project);
});

Deno.test("mm plugin add that is interrupted says what is in use", async () => {
  await using project = await Project.make({
    "agent.yaml": AGENT,
    "full.js": await full(`
      let asked = false;
      Deno.addSignalListener("SIGINT", () => asked = true);
      writeFileSync("waiting", "");
      while (!asked) await new Promise((resolve) => setTimeout(resolve, 10));
    `),
  });
  await project.ask("one", "two", "three", "four");
  const child = await startMm(["plugin", "add", "./full.js", "--yes"], {
    cwd: project.dir,
  });
  await until(() => Deno.stat(project.path("waiting")).catch(() => undefined));
  child.kill("SIGINT");
  const { code, stderr } = await child.output();
  const said = new TextDecoder().decode(stderr);
  assert.equal(code, 130, said);
  assert.match(
    said,
    /Still in use: json\. The same command goes on where it stopped/,
  );
  await unchanged(project);
});

Deno.test("mm plugin add changes no store while a conversation cannot be read, until it is set aside", async () => {
  await using project = await Project.make({ "agent.yaml": AGENT });
  await project.ask("one");
  await project.write(`.mm/sessions/${BROKEN}.json`, "{");
  const add = () => project.mm(["plugin", "add", "sqlite", "--yes"]);
  const refused = await add();
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /1 unreadable/);
  assert.match(
    refused.stderr,
    /Still in use: json\. mm doctor --repair sets aside what cannot be read/,
  );
  await unchanged(project);

  await project.mm(["doctor", "--repair"]);
  const { code, stderr } = await add();
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^1 left in json that could not be read: set aside$/m);
});

Deno.test("mm plugin says what is left behind and how it comes along, without what the environment knows", async () => {
  await using project = await Project.make({
    "agent.yaml": "sessions: { store: { use: sqlite, path: talks.db } }\n",
  });
  await project.ask("one");
  const remove = (env = {}) =>
    project.mm([
      "--config",
      "agent.yaml",
      "plugin",
      "remove",
      "sqlite",
      "--no-copy",
    ], { env });
  const first = await remove();
  assert.equal(first.code, 0, first.stderr);
  const [, way = ""] =
    /^1 conversation left in sqlite; to bring what is there: mm (.*)$/m
      .exec(first.stderr) ?? [];
  assert.equal(way, "sessions copy --from '{ use: sqlite, path: talks.db }'");
  const copy = await project.mm(way.replaceAll("'", "").split(/ (?![^{]*\})/));
  assert.match(copy.stderr, /From sqlite to json: 1 copied/);

  await project.write(
    "agent.yaml",
    "sessions: { store: { use: sqlite, path: '${NAME}.db' } }\n",
  );
  const second = await remove({ NAME: "talks" });
  assert.match(second.stderr, /--from '\{ use: sqlite, … as it was \}'/);
});

Deno.test("a store that is gone can be left, and every message says how", async () => {
  await using project = await Project.make({
    "agent.yaml": "sessions:\n  store: ./shelf.js # ours\n",
  });
  const list = await project.mm(["sessions"]);
  assert.equal(list.code, 2);
  assert.match(
    list.stderr,
    /there is no file .*shelf\.js; mm plugin remove \.\/shelf\.js does without it$/m,
  );
  const remove = ["plugin", "remove", "./shelf.js"];
  const refused = await project.mm([...remove, "--yes"]);
  assert.equal(refused.code, 2);
  assert.match(
    refused.stderr,
    /there is no file .*to use another store without what \.\/shelf\.js keeps, add --no-copy$/m,
  );
  const { code, stderr } = await project.mm([...remove, "--no-copy"]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^What \.\/shelf\.js keeps stays there: /m);
  assert.equal(
    await Deno.readTextFile(project.path("agent.yaml")),
    "sessions:\n  store: json # ours\n",
  );
});

Deno.test("mm plugin add and remove know a store while no conversation is kept, and say so", async () => {
  await using project = await Project.make({
    "agent.yaml": "sessions: { enabled: false }\n",
  });
  const add = await project.mm(["plugin", "add", "sqlite"]);
  assert.equal(add.code, 0, add.stderr);
  const said = /^No conversation is kept while sessions\.enabled is false$/m;
  assert.match(add.stderr, said);
  const list = await project.mm(["plugin", "list"]);
  assert.match(list.stdout, /^sqlite .*\[sessions\.store\]$/m);
  const remove = await project.mm(["plugin", "remove", "sqlite"]);
  assert.equal(remove.code, 0, remove.stderr);
  assert.match(remove.stderr, said);
});

Deno.test("conversations that a store would remove are told before, and not lost by copying them", async () => {
  await using project = await Project.make({ "agent.yaml": AGENT });
  const [old] = await project.ask("old", "new");
  const file = project.path(`.mm/sessions/${old}.json`);
  const text = await Deno.readTextFile(file);
  await Deno.writeTextFile(
    file,
    text.replaceAll(/"\d{4}(-..-..T)/g, '"2001$1'),
  );
  const keepDays = ["-o", "keepDays=3"];
  const add = (...args: string[]) =>
    project.mm(["plugin", "add", "sqlite", ...args]);

  const never = await add("-o", "keepDays=1e9");
  assert.equal(never.code, 2);
  assert.match(never.stderr, /keepDays: expected at most 36500/);
  const copied = await add("--yes", ...keepDays);
  assert.equal(copied.code, 0, copied.stderr);
  assert.match(copied.stderr, /From json to sqlite: 1 copied$/m);
  assert.match(copied.stderr, /^1 conversation left in json, untouched for/m);

  await add("--unset", "keepDays");
  await project.mm(["sessions", "copy", "--from", "json"]);
  const refused = await add(...keepDays);
  assert.equal(refused.code, 2);
  assert.match(
    refused.stderr,
    /1 conversation would be removed from sqlite, .*; add --yes/,
  );
  assert.equal((await add("--yes", ...keepDays)).code, 0);
  const doctor = await project.mm(["doctor"]);
  assert.match(
    doctor.stdout,
    /^warn {2}sessions .* removes 1, untouched for longer than sqlite keeps any/m,
  );
  const run = await project.mm(["run", "hello"]);
  assert.match(run.stderr, /1 that nobody touched for 3 days \(keepDays\)/);
});

Deno.test("what is odd about a store is told when it is chosen and by the doctor, and not at every start", async () => {
  await using project = await Project.make({ "agent.yaml": AGENT });
  await project.ask("one");
  const add = await project.mm(["plugin", "add", "sqlite", "--yes"]);
  const doctor = await project.mm(["doctor"]);
  // Whether there is, the SQLite of this mm decides.
  const race = "can lose writes";
  assert.equal(add.stderr.includes(race), doctor.stdout.includes(race));
  const run = await project.mm(["run", "hello"]);
  assert.doesNotMatch(run.stderr, /can lose writes/);
});

Deno.test({
  name: "tty: a no leaves everything, and says how to change the store alone",
  ignore: NO_TMUX !== undefined,
  async fn() {
    await using project = await Project.make({ "agent.yaml": AGENT });
    await project.ask("one", "two");
    const mm = (await command()).map((word) => `"${word}"`).join(" ");
    await using t = await Terminal.start(`${mm} plugin add sqlite`, {
      cwd: project.dir,
      columns: 110,
      env: {
        HOME: project.path(".home"),
        DENO_DIR: Deno.env.get("DENO_DIR") ?? "",
      },
    });
    await t.see(/Copy 2 conversations from json to sqlite\?/);
    await t.enter("n");
    const seen = await t.see(/^code 130$/m);
    assert.match(
      seen,
      /^Nothing is changed; to leave them in json, add --no-copy$/m,
    );
    await unchanged(project);
  },
});

async function unchanged(project: Project): Promise<void> {
  assert.equal(await Deno.readTextFile(project.path("agent.yaml")), AGENT);
}
