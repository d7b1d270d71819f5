import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CopiedFile } from "../../../facades/cli/sessions/import/copied_file.ts";
import { copyDatabase } from "../../../facades/cli/sessions/import/copied_database.ts";
import { Project } from "./project.ts";
import { TempDir } from "../../temp_dir.ts";

Deno.test("copyDatabase() copies whole transactions of a database that is written to all the time", async () => {
  await using dir = await TempDir.make();
  const file = join(dir.path, "busy.db");
  const writer = new Worker(
    `data:application/javascript,${encodeURIComponent(WRITER)}`,
    { type: "module" },
  );
  try {
    await new Promise((resolve) => {
      writer.onmessage = resolve;
      writer.postMessage(file);
    });
    for (let n = 0; n < 10; n++) {
      const [row] = await copied(file);
      assert.equal(row?.whole, "ok");
      assert.deepEqual([row?.count, row?.different], [200, 1]);
    }
  } finally {
    writer.terminate();
  }
});

const WRITER = `
import { DatabaseSync } from "node:sqlite";
self.onmessage = ({ data }) => {
  const db = new DatabaseSync(data);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 20; CREATE TABLE words (id INTEGER PRIMARY KEY, word); CREATE INDEX words_word ON words (word)");
  const add = db.prepare("INSERT INTO words (word) VALUES ('')");
  for (let n = 0; n < 200; n++) add.run();
  const change = db.prepare("UPDATE words SET word = ? || hex(zeroblob(200))");
  for (let n = 0;; n++) {
    change.run(String(n));
    if (n === 20) self.postMessage("begun");
  }
};`;

Deno.test("copyDatabase() takes what is in the log alone, and changes and leaves nothing", async () => {
  await using dir = await TempDir.make();
  const file = join(dir.path, "some.db");
  const db = words(file);
  const open = await snapshot(dir.path);
  assert.equal(open.size, 3); // with the log, and its index
  assert.equal((await copied(file))[0]?.count, 1);
  assert.deepEqual(
    (await snapshot(dir.path)).get("some.db-wal"),
    open.get("some.db-wal"),
  );
  db.close();
  const closed = await snapshot(dir.path);
  assert.deepEqual([...closed.keys()], ["some.db"]);
  assert.equal((await copied(file))[0]?.count, 1);
  assert.deepEqual(await snapshot(dir.path), closed);
});

Deno.test("copyDatabase() copies what a crash left as it lies", async () => {
  await using dir = await TempDir.make();
  const file = join(dir.path, "some.db");
  using db = words(file);
  db.exec("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN");
  for (let n = 0; n < 2000; n++) {
    db.exec("INSERT INTO words (word) VALUES (hex(randomblob(200)))");
  }
  const crashed = join(dir.path, "crashed.db");
  for (const end of ["", "-journal"]) {
    await Deno.copyFile(file + end, crashed + end);
  }
  const [row] = await copied(crashed);
  assert.deepEqual({ ...row }, { whole: "ok", count: 1, different: 1 });
});

Deno.test("copyDatabase() says when another program keeps it locked", async () => {
  await using dir = await TempDir.make();
  const file = join(dir.path, "some.db");
  using db = words(file);
  db.exec("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
  await assert.rejects(copied(file), /another program keeps it locked/);
});

Deno.test("mm sessions import takes a database of any size, and no text that is larger than a string", async () => {
  await using project = await Project.make({ "agent.yaml": SQLITE });
  const [id] = await project.ask("one");
  const file = project.path("large.db");
  await Deno.copyFile(project.path(".mm/sessions.db"), file);
  for (const path of [file, project.path("large.jsonl")]) {
    using large = await Deno.open(path, { write: true, create: true });
    await large.truncate(600 * 1024 ** 2); // a hole, that takes no room
  }
  await project.mm(["sessions", "rm", id!, "--yes"]);
  const files = ["large.db", "large.jsonl"];
  const { stderr } = await project.mm(["sessions", "import", ...files]);
  assert.match(stderr, /large\.db \(SQLite\): \S+ imported\n/);
  assert.match(stderr, /large\.jsonl: it is larger than 512 MiB\n/);
});

Deno.test("mm sessions import takes over rows without a time and a conversation once", async () => {
  await using project = await Project.make();
  const db = new DatabaseSync(project.path("old.db"));
  db.exec(
    "CREATE TABLE messages (id, session_id, role, content, created_at)",
  );
  const row = db.prepare("INSERT INTO messages VALUES (?, ?, ?, ?, ?)");
  row.run("1", null, "user", "Question", "yesterday");
  row.run("0", null, "assistant", "Answer", null);
  row.run("9", "s", "user", "Timed", "2025-01-02T03:04:05Z");
  row.run("8", "s", "assistant", "Between", "soon");
  row.run("7", "s", "assistant", "Last", "2025-01-02T03:04:06Z");
  db.close();
  const args = ["sessions", "import", "old.db", "--json"];
  const [first, again] = [await project.mm(args), await project.mm(args)];
  assert.deepEqual([first.code, again.code], [0, 0], again.stderr);
  const outcomes = [first, again].map(({ stdout }) =>
    new Map<string, string>(
      JSON.parse(stdout)[0].sessions.map((s: Record<string, string>) => [
        s.id,
        s.status,
      ]),
    )
  );
  const ids = [...outcomes[0]!.keys()];
  assert.deepEqual(ids.map((id) => id.slice(0, 15)).sort(), [
    "19700101-000000",
    "20250102-030405",
  ]);
  assert.deepEqual(ids.map((id) => outcomes[1]!.get(id)), ["same", "same"]);
  const { stdout } = await project.mm(["sessions", "show", "Timed", "--json"]);
  assert.deepEqual(
    JSON.parse(stdout).messages.map((m: Record<string, string>) => m.content),
    ["Timed", "Between", "Last"],
  );
});

Deno.test("mm sessions import tells what to do with a database that is damaged or another program's", async () => {
  await using project = await Project.make();
  const db = new DatabaseSync(project.path("songs.db"));
  db.exec("CREATE TABLE songs (title)");
  db.close();
  const bytes = await Deno.readFile(project.path("songs.db"));
  await Deno.writeFile(project.path("torn.db"), bytes.fill(255, 100, 4000));
  const files = ["songs.db", "torn.db"];
  const { code, stderr } = await project.mm(["sessions", "import", ...files]);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /songs\.db: .* another program \(tables songs\); name another database$/m,
  );
  assert.match(
    stderr,
    /torn\.db: the database is damaged; to save what can be read, make it \.mm\/sessions\.db of a new folder/,
  );
});

const SQLITE = "sessions: { store: sqlite }\n";

/** A database in WAL mode with one word. */
function words(file: string): DatabaseSync {
  const db = new DatabaseSync(file);
  db.exec("PRAGMA journal_mode = WAL; CREATE TABLE words (word)");
  db.exec("INSERT INTO words VALUES ('one')");
  return db;
}

async function copied(file: string) {
  await using copy = await CopiedFile.make();
  using db = new DatabaseSync(await copyDatabase(file, copy));
  return db.prepare(
    "SELECT (SELECT integrity_check FROM pragma_integrity_check) AS whole, (SELECT count(*) FROM words) AS count, (SELECT count(DISTINCT word) FROM words) AS different",
  ).all();
}

async function snapshot(dir: string): Promise<Map<string, Uint8Array>> {
  const names = (await Array.fromAsync(Deno.readDir(dir))).map((e) => e.name);
  return new Map(
    await Promise.all(
      names.toSorted().map(async (name) =>
        [name, await Deno.readFile(join(dir, name))] as const
      ),
    ),
  );
}
