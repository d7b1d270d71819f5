import assert from "node:assert/strict";
import { command } from "../../mm.ts";
import { ChatServer } from "./chat_server.ts";
import { Project } from "./project.ts";

Deno.test("mm sessions list shows the newest first, and the unreadable ones with their reason", async () => {
  await using project = await Project.make();
  const [first, second] = await project.ask("one", "two");
  await project.write(`.mm/sessions/${BROKEN}.json`, "{");
  const all = JSON.parse((await project.mm(["sessions", "--json"])).stdout);
  assert.deepEqual(all.map((s: { id: string }) => s.id), [
    second,
    first,
    BROKEN,
  ]);
  const { stdout } = await project.mm(["sessions", "list"]);
  assert.match(
    stdout,
    new RegExp(
      `^1  ${second}  two · 1 turn · [^\\n]+\n2  ${first}  one .*\n3  ${BROKEN}  unreadable: `,
    ),
  );
  const one = await project.mm(["sessions", "list", "--limit", "1"]);
  assert.equal(one.stdout.trimEnd().split("\n").length, 1);
  assert.match(one.stderr, /^… more: --limit/m);
  const filtered = await project.mm(["sessions", "list", "ONE"]);
  assert.match(filtered.stdout, new RegExp(`^${first}  one`));
  assert.match(
    (await project.mm(["sessions", "list", "nothing"])).stderr,
    /mm sessions search looks inside/,
  );
});

Deno.test("mm sessions --json is text to every reader, though a title holds half of a character", async () => {
  const transcript = [
    `{"type":"session","id":"p","timestamp":"2026-03-02T10:00:00Z","cwd":"/"}`,
    `{"type":"message","id":"a","message":{"role":"user","content":"half \\ud83d"}}`,
  ];
  await using project = await Project.make({
    "pi.jsonl": transcript.join("\n"),
  });
  await project.mm(["sessions", "import", "pi.jsonl"]);
  const { stdout } = await project.mm(["sessions", "--json"]);
  assert.equal(JSON.parse(stdout)[0].title, "half \ufffd");
});

Deno.test("mm sessions show prints a conversation, and cleans it of what would steer a terminal", async () => {
  await using project = await Project.make();
  await using server = new ChatServer("Red \x1b[31mand\x1b]0;title\x07 done");
  await project.mm(["run", "--base-url", server.url, "what\nnow"]);
  const { code, stdout } = await project.mm(["sessions", "show"]);
  assert.equal(code, 0);
  assert.match(stdout, /> what\n> now\n\nRed and/);
  assert.ok(!stdout.includes("\x1b") && !stdout.includes("\x07"));
  const json = JSON.parse(
    (await project.mm(["sessions", "show", "1", "--json"])).stdout,
  );
  assert.equal(json.messages.length, 3);
  const colored = await project.mm(["sessions", "show"], {
    env: { NO_COLOR: "", FORCE_COLOR: "1" },
  });
  assert.ok(colored.stdout.includes("\x1b[1m> what"));
});

Deno.test("mm sessions search finds the conversations with all words, best first, with snippets", async () => {
  await using project = await Project.make();
  const [both] = await project.ask(
    "where do race conditions hide",
    "a race with horses",
  );
  const { code, stdout } = await project.mm([
    "sessions",
    "search",
    "race",
    "--json",
  ]);
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).length, 2);
  const found = await project.mm(["sessions", "search", "RACE", "hide"]);
  assert.match(
    found.stdout,
    new RegExp(`^${both} .*\n  user: where do race conditions hide\n$`),
  );
  const none = await project.mm(["sessions", "search", "zebra"]);
  assert.deepEqual([none.code, none.stdout], [0, ""]);
  assert.match(none.stderr, /^Nothing found for "zebra"/);
});

Deno.test("mm sessions export writes Markdown, HTML and JSON, and overwrites nothing unasked", async () => {
  await using project = await Project.make();
  await project.ask("export me");
  assert.match(
    (await project.mm(["sessions", "export"])).stdout,
    /^# export me\n/,
  );
  const html = await project.mm([
    "sessions",
    "export",
    "-1",
    "-o",
    "talk.html",
  ]);
  assert.equal(html.code, 0);
  assert.match(
    await Deno.readTextFile(project.path("talk.html")),
    /^<!doctype html>/,
  );
  const again = await project.mm(["sessions", "export", "-o", "talk.html"]);
  assert.equal(again.code, 2);
  assert.match(
    again.stderr,
    /^Cannot write talk.html: it is there already, overwrite it by --force/,
  );
  assert.equal(
    (await project.mm(["sessions", "export", "-o", "talk.html", "--force"]))
      .code,
    0,
  );
  const json = await project.mm(["sessions", "export", "--format", "json"]);
  assert.equal(JSON.parse(json.stdout).title, "export me");
});

Deno.test("mm sessions export refuses a name that it cannot write to", async () => {
  await using project = await Project.make();
  await project.ask("export me");
  await Deno.symlink(project.path("nowhere"), project.path("link.md"));
  for (
    const [name, why] of [
      ["x.pdf", '".pdf" is the ending of no format; use .md, .html or .json'],
      [".", "it is a folder"],
      ["", "give a name"],
      ["none/x.md", "there is no folder none"],
      ["link.md", "it is a link to nothing"],
    ] as const
  ) {
    const { code, stderr } = await project.mm(
      ["sessions", "export", "--force", "-o", name],
    );
    assert.equal(code, 2, name);
    assert.ok(
      stderr.startsWith(`Cannot write ${name || '""'}: ${why}`),
      stderr,
    );
  }
  for (const name of ["a.HTM", "b.HTML"]) {
    await project.mm(["sessions", "export", "-o", name]);
    const text = await Deno.readTextFile(project.path(name));
    assert.match(text, /^<!doctype html>/);
  }
});

Deno.test("mm sessions show, export and errors take --session, and say where errors stand", async () => {
  await using project = await Project.make();
  const [first = ""] = await project.ask("the first", "the second");
  const shown = await project.mm(["sessions", "show", "--session", "2"]);
  assert.match(shown.stdout, /> the first/);
  const before = await project.mm(["--session", first, "sessions", "export"]);
  assert.match(before.stdout, /^# the first\n/);
  const named = await project.mm(["sessions", "show", "1", "--session", "2"]);
  assert.match(named.stdout, /> the second/);
  assert.equal(named.stderr, "");
  await using server = new ChatServer(() => new Response("", { status: 400 }));
  const args = ["--base-url", server.url, "--session", first];
  await project.mm(["run", ...args, "fails"]);
  const failed = await project.mm(["sessions", "show", first]);
  assert.equal(
    failed.stderr,
    `1 error in this conversation: mm sessions errors ${first}\n`,
  );
  const both = await project.mm(["sessions", "list", "--all", "--limit", "1"]);
  assert.equal(both.code, 2);
});

Deno.test("mm sessions rename gives another title", async () => {
  await using project = await Project.make();
  await project.ask("old title");
  const { code, stdout } = await project.mm([
    "sessions",
    "rename",
    "-1",
    "new",
    "title",
    "--json",
  ]);
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).title, "new title");
  assert.match(
    (await project.mm(["sessions"])).stdout,
    / {2}new title · 1 turn/,
  );
  assert.equal((await project.mm(["sessions", "rename", "-1", " "])).code, 2);
});

Deno.test("mm sessions rm removes what is named, all or none, and never unasked", async () => {
  await using project = await Project.make();
  const [first = "", second, third] = await project.ask("one", "two", "three");
  const ids = async () =>
    JSON.parse((await project.mm(["sessions", "--json"])).stdout).map((
      s: { id: string },
    ) => s.id);
  const unasked = await project.mm(["sessions", "rm", "1"]);
  assert.deepEqual([unasked.code, unasked.stderr], [
    2,
    "Cannot remove sessions without asking: add --yes\n",
  ]);
  const unknown = await project.mm([
    "sessions",
    "rm",
    "1",
    "20200101-000000-00000000",
    "-y",
  ]);
  assert.equal(unknown.code, 2);
  assert.deepEqual(await ids(), [third, second, first]);
  const { code, stdout } = await project.mm([
    "sessions",
    "rm",
    "1",
    "-2",
    "--yes",
    "--json",
  ]);
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(stdout), [third, second]);
  assert.deepEqual(await ids(), [first]);
});

Deno.test("mm sessions rm removes the copies in other stores, too, and names them", async () => {
  await using project = await Project.make();
  const [id = ""] = await project.ask("where is the xylophone?");
  await project.mm(["plugin", "add", "sqlite", "--yes"]);
  const { code, stderr } = await project.mm(["sessions", "rm", id, "--yes"]);
  assert.equal(code, 0);
  assert.equal(
    stderr,
    "Removed 1 conversation, with the copies (1 in json)\n",
  );
  const found = await project.mm(["sessions", "search", "xylophone"]);
  assert.match(found.stderr, /^Nothing found/);
});

Deno.test("mm sessions rm fails when it cannot look into another store", async () => {
  await using project = await Project.make();
  const [id = ""] = await project.ask("one");
  await project.write(".mm/sessions.db", "no database");
  const { code, stderr } = await project.mm(["sessions", "rm", id, "--yes"]);
  assert.equal(code, 1);
  assert.match(stderr, /^Removed 1 conversation\n.*not a SQLite database/);
});

Deno.test("mm sessions rm takes the same database by other options for no copy", async () => {
  await using project = await Project.make({
    "agent.yaml": "sessions: { store: { use: sqlite, timeout: 100 } }\n",
  });
  const [id = ""] = await project.ask("one");
  const { stderr } = await project.mm(["sessions", "rm", id, "--yes"]);
  assert.equal(stderr, "Removed 1 conversation\n");
});

Deno.test(
  "mm sessions rm asks on a terminal, and takes anything but yes for no",
  { ignore: Deno.build.os !== "linux" },
  async () => {
    await using project = await Project.make();
    await project.ask("one");
    const program = (await command()).join(" ");
    const answer = async (text: string) => {
      const child = new Deno.Command("script", {
        args: ["-qefc", `${program} sessions rm 1`, "/dev/null"],
        cwd: project.dir,
        env: { HOME: project.path(".home") },
        stdin: "piped",
        stdout: "piped",
      }).spawn();
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode(text));
      await writer.close();
      const { code, stdout } = await child.output();
      assert.match(
        new TextDecoder().decode(stdout),
        /one · 1 turn.*\r\nRemove 1 conversation for good\? \[y\/N\] /,
      );
      return code;
    };
    assert.equal(await answer("n\n"), 130);
    assert.notEqual((await project.mm(["sessions"])).stdout, "");
    assert.equal(await answer("y\n"), 0);
    assert.equal((await project.mm(["sessions"])).stdout, "");
  },
);

Deno.test("mm sessions tells why a session is unreadable, exit code 1, and removes it when asked", async () => {
  await using project = await Project.make();
  await project.write(`.mm/sessions/${BROKEN}.json`, "{");
  const { code, stderr } = await project.mm(["sessions", "show", BROKEN]);
  assert.equal(code, 1);
  assert.match(stderr, /^Cannot read session file ".*": /);
  assert.equal((await project.mm(["sessions", "rm", BROKEN, "-y"])).code, 0);
  assert.equal((await project.mm(["sessions"])).stdout, "");
});

const BROKEN = "20200101-000000-0badbad0";
