import assert from "node:assert/strict";
import { Project } from "./project.ts";

// deno-lint-ignore no-explicit-any -- as it is printed
type Shown = any;

Deno.test("mm sessions import takes over a Claude Code transcript, once", async () => {
  await using project = await Project.make({ "claude.jsonl": claude() });
  const first = await run(project, "claude.jsonl");
  assert.equal(first.tool, "Claude Code");
  assert.equal(first.unknown, 2);
  assert.equal(first.leftOut, 3);
  assert.deepEqual(statuses(first), ["copied"]);
  const { id } = first.sessions[0];
  assert.match(id, /^20260301-090000-[0-9a-f]{8}$/);
  const state = await show(project, id);
  assert.equal(state.cwd, "/home/me/app");
  assert.equal(state.title, "Tidy the app");
  assert.equal(state.createdAt, "2026-03-01T09:00:00.000Z");
  assert.equal(state.turns, 2);
  assert.equal(state.open, undefined);
  assert.deepEqual(
    state.messages.map((
      { role, content, thought, toolCalls, status }: Shown,
    ) => [role, content, thought, toolCalls?.length, status]),
    [
      ["user", "What is here?", undefined, undefined, undefined],
      ["assistant", "I look.", "Hmm.", 2, undefined],
      ["tool", "a.txt", undefined, undefined, "completed"],
      ["tool", "no such file", undefined, undefined, "failed"],
      ["assistant", "One file.", undefined, undefined, undefined],
      ["user", "Thanks", undefined, undefined, undefined],
      ["assistant", "", undefined, 1, undefined],
      ["tool", "No result was recorded.", undefined, undefined, "cancelled"],
    ],
  );
  assert.deepEqual(state.usage, { input: 48, output: 13, cached: 30 });
  assert.deepEqual(statuses(await run(project, "claude.jsonl")), ["same"]);

  await project.write("copy.jsonl", claude() + grown());
  assert.deepEqual(statuses(await run(project, "copy.jsonl")), ["updated"]);
  assert.equal((await show(project, id)).turns, 3);
  assert.deepEqual(statuses(await run(project, "claude.jsonl")), ["newer"]);
});

Deno.test("mm sessions import takes the branch of a pi session that was used last", async () => {
  const header = {
    type: "session",
    version: 3,
    id: "0195",
    timestamp: "2026-03-02T10:00:00.000Z",
    cwd: "/home/me/pi",
  };
  const entry = (id: string, parentId: string | null, message: unknown) => ({
    type: "message",
    id,
    parentId,
    timestamp: "2026-03-02T10:00:01.000Z",
    message,
  });
  const user = (text: string) => ({
    role: "user",
    content: [{ type: "text", text }],
  });
  const text = lines(
    header,
    entry("a", null, user("Left behind")),
    entry("b", null, user("What is here?")),
    entry("c", "b", {
      role: "assistant",
      model: "m1",
      content: [
        { type: "thinking", thinking: "Hmm." },
        { type: "text", text: "I look." },
        {
          type: "toolCall",
          id: "t1",
          name: "bash",
          arguments: { command: "ls" },
        },
      ],
      usage: { input: 10, output: 5, cacheRead: 3, cacheWrite: 0 },
      stopReason: "toolUse",
    }),
    entry("d", "c", {
      role: "toolResult",
      toolCallId: "t1",
      toolName: "bash",
      content: [{ type: "text", text: "a.txt" }],
      isError: false,
    }),
    { type: "whatever", id: "e", parentId: "d" },
    entry("f", "e", {
      role: "assistant",
      model: "m1",
      content: [{ type: "text", text: "One file." }],
      stopReason: "stop",
    }),
    { type: "session_info", id: "g", parentId: "f", name: "Files" },
  );
  await using project = await Project.make({ "pi.jsonl": text });
  const done = await run(project, "pi.jsonl");
  assert.deepEqual([done.tool, done.unknown, done.leftOut], ["pi", 1, 1]);
  const state = await show(project, done.sessions[0].id);
  assert.equal(state.title, "Files");
  assert.equal(state.cwd, "/home/me/pi");
  assert.deepEqual(
    state.messages.map(({ content }: { content: string }) => content),
    ["What is here?", "I look.", "a.txt", "One file."],
  );
  assert.equal(state.messages[1].thought, "Hmm.");
  assert.deepEqual(state.usage, { input: 13, output: 5, cached: 3 });
});

Deno.test("mm sessions import takes over a chat of gemini-cli, as a document and as lines", async () => {
  const head = {
    sessionId: "5d0c",
    projectHash: "ff",
    startTime: "2026-03-03T10:00:00.000Z",
    lastUpdated: "2026-03-03T10:01:00.000Z",
  };
  const messages = [
    { id: "1", timestamp: head.startTime, type: "user", content: "Hello" },
    { id: "2", timestamp: head.startTime, type: "info", content: "Update!" },
    {
      id: "3",
      timestamp: head.lastUpdated,
      type: "gemini",
      content: [{ text: "Hi." }],
      model: "gemini-x",
      thoughts: [{ subject: "Greeting", description: "Be kind." }],
      tokens: { input: 7, output: 2, cached: 1, thoughts: 1, total: 10 },
      toolCalls: [{
        id: "c1",
        name: "read_file",
        args: { path: "a" },
        status: "success",
        result: [{
          functionResponse: { id: "c1", response: { output: "text of a" } },
        }],
      }],
    },
  ];
  await using project = await Project.make({
    "chat.json": JSON.stringify({ ...head, messages }, null, 2),
    "chat.jsonl": lines(head, ...messages, { $set: { lastUpdated: "x" } }),
  });
  const done = await run(project, "chat.json");
  assert.deepEqual([done.tool, done.unknown, done.leftOut], [
    "gemini-cli",
    0,
    1,
  ]);
  const state = await show(project, done.sessions[0].id);
  assert.equal(state.cwd, project.dir);
  assert.equal(state.messages[1].thought, "Greeting\nBe kind.");
  assert.equal(state.messages[2].content, "text of a");
  assert.deepEqual(state.usage, { input: 7, output: 3, cached: 1 });
  assert.deepEqual(statuses(await run(project, "chat.jsonl")), ["same"]);
});

Deno.test("mm sessions import reads what mm exported, and older databases", async () => {
  const { DatabaseSync } = await import("node:sqlite");
  await using project = await Project.make();
  const [id] = await project.ask("one");
  const before = await show(project, id!);
  await project.mm(["sessions", "export", id!, "-o", "one.json"]);
  await project.mm(["sessions", "rm", id!, "--yes"]);
  assert.deepEqual(statuses(await run(project, "one.json")), ["copied"]);
  assert.deepEqual(await show(project, id!), before);

  const db = new DatabaseSync(project.path("old.db"));
  db.exec(`CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT,
    role TEXT, content TEXT, created_at TEXT)`);
  const row = db.prepare("INSERT INTO messages VALUES (?, ?, ?, ?, ?)");
  row.run("1", "s", "user", "Old question", "2025-01-02T03:04:05Z");
  row.run("2", "s", "assistant", "Old answer", "2025-01-02T03:04:06Z");
  db.close();
  const bytes = await Deno.readFile(project.path("old.db"));
  const old = await run(project, "old.db");
  assert.deepEqual(statuses(old), ["copied"]);
  const state = await show(project, old.sessions[0].id);
  assert.equal(state.messages.at(-1).content, "Old answer");
  assert.deepEqual(await Deno.readFile(project.path("old.db")), bytes);
  assert.deepEqual(statuses(await run(project, "old.db")), ["same"]);
});

Deno.test("mm sessions import takes the files of mm's own stores as they lie", async () => {
  for (const store of ["json", "jsonl", "sqlite"]) {
    const config = { "agent.yaml": `sessions: { store: ${store} }\n` };
    await using from = await Project.make(config);
    const [id = ""] = await from.ask("one");
    const before = await show(from, id);
    const path = store === "sqlite" ? "sessions.db" : `sessions/${id}.${store}`;
    const file = from.path(`.mm/${path}`);
    const bytes = await Deno.readFile(file);
    for (const other of ["json", "jsonl", "sqlite"]) {
      await using to = await Project.make({
        "agent.yaml": `sessions: { store: ${other} }\n`,
      });
      assert.deepEqual(statuses(await run(to, file)), ["copied"], store);
      assert.deepEqual(await show(to, id), before, `${store} to ${other}`);
      assert.deepEqual(statuses(await run(to, file)), ["same"]);
    }
    assert.deepEqual(await Deno.readFile(file), bytes);
  }
  await using project = await Project.make({
    "newer.json":
      `{"version":2,"id":"20260101-000000-00000000","seq":1,"messages":[]}`,
  });
  const { code, stderr } = await project.mm([
    "sessions",
    "import",
    "newer.json",
    "gone.json",
  ]);
  assert.equal(code, 1);
  assert.match(stderr, /it was written by a newer mm \(format 2, this one/);
  assert.match(stderr, /Cannot import gone\.json: there is no such file/);
  assert.doesNotMatch(stderr, /mm-import/);
});

Deno.test("mm sessions import tells which files it does not know and goes on", async () => {
  await using project = await Project.make({
    "notes.txt": "just notes\n",
    "empty.json": "",
    "broken.json": `{"id":"20260101-000000-00000000","seq":1,"messages":[1]}`,
    "claude.jsonl": claude(),
  });
  const files = ["notes.txt", "empty.json", "broken.json", "gone", "."];
  const { code, stderr } = await project.mm([
    "sessions",
    "import",
    ...files,
    "claude.jsonl",
  ]);
  assert.equal(code, 1);
  for (const file of files) {
    assert.match(stderr, new RegExp(`^Cannot import ${file}: `, "m"));
  }
  assert.match(stderr, /claude\.jsonl \(Claude Code\): \S+ imported \(2 not/);
});

Deno.test("mm sessions import tells times that are none, microseconds among them", async () => {
  const micros = Date.parse("2026-03-01T09:00:00.000Z") * 1000;
  const times = [micros, "2026-03-01T09:00:01.000Z", "soon", -1e15];
  const said = (timestamp: unknown, n: number) => ({
    id: `${n}`,
    type: "user",
    content: `Question ${n}`,
    timestamp,
  });
  const chat = (startTime: unknown) =>
    JSON.stringify({
      sessionId: `${startTime}`,
      startTime,
      messages: times.map(said),
    });
  await using project = await Project.make({
    "chat.json": chat("2026-03-01T08:00:00.000Z"),
    "micros.json": chat(micros),
  });
  const done = await run(project, "chat.json");
  assert.equal(done.untimed, 3);
  const { id } = done.sessions[0];
  assert.match(id, /^20260301-080000-/);
  const { messages } = await show(project, id);
  assert.deepEqual(messages.map(({ at }: { at: string }) => at.slice(11, 19)), [
    "08:00:00",
    "09:00:01",
    "09:00:01",
    "09:00:01",
  ]);
  const { stderr } = await project.mm(["sessions", "import", "micros.json"]);
  assert.match(
    stderr,
    /: 19700101-000000-\S+ imported \(4 with a time that is none\)/,
  );
});

function claude(): string {
  const base = { sessionId: "5ba7", cwd: "/home/me/app" };
  const at = (s: number) => ({ timestamp: `2026-03-01T09:00:0${s}.000Z` });
  const answer = (s: number, uuid: string, id: string, block: unknown) => ({
    ...base,
    ...at(s),
    type: "assistant",
    uuid,
    message: {
      id,
      role: "assistant",
      model: "claude-x",
      content: [block],
      usage: {
        input_tokens: 6,
        cache_read_input_tokens: 10,
        output_tokens: id === "m3" ? 3 : 5,
      },
    },
  });
  const user = (s: number, uuid: string, content: unknown) => ({
    ...base,
    ...at(s),
    type: "user",
    uuid,
    message: { role: "user", content },
  });
  return lines(
    { type: "summary", summary: "Tidy the app", leafUuid: "x" },
    { ...user(0, "u0", "Caveat"), isMeta: true },
    user(0, "u1", "What is here?"),
    answer(1, "a1", "m1", { type: "thinking", thinking: "Hmm." }),
    answer(1, "a2", "m1", { type: "text", text: "I look." }),
    answer(1, "a3", "m1", call("t1", "ls")),
    user(2, "u2", [
      { type: "tool_result", tool_use_id: "t1", content: "a.txt" },
    ]),
    answer(2, "a4", "m1", call("t2", "cat")),
    user(3, "u3", [{
      type: "tool_result",
      tool_use_id: "t2",
      is_error: true,
      content: [{ type: "text", text: "no such file" }],
    }]),
    {
      ...answer(3, "s1", "m9", { type: "text", text: "sub" }),
      isSidechain: true,
    },
    answer(4, "a5", "m2", { type: "text", text: "One file." }),
    { type: "brand-new", payload: 1 },
    user(5, "u4", "Thanks"),
    answer(6, "a6", "m3", call("t3", "ls")),
  ) + "{ torn\n";
}

function grown(): string {
  return lines({
    sessionId: "5ba7",
    timestamp: "2026-03-01T09:00:09.000Z",
    type: "user",
    uuid: "u5",
    message: { role: "user", content: "More" },
  });
}

function call(id: string, command: string) {
  return { type: "tool_use", id, name: "Bash", input: { command } };
}

function lines(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

async function run(project: Project, file: string): Promise<Shown> {
  const { stdout, stderr } = await project.mm([
    "sessions",
    "import",
    file,
    "--json",
  ]);
  assert.equal(stderr, "");
  return JSON.parse(stdout)[0];
}

function statuses({ sessions }: { sessions: { status: string }[] }): string[] {
  return sessions.map(({ status }) => status);
}

async function show(project: Project, id: string): Promise<Shown> {
  const { stdout } = await project.mm(["sessions", "show", id, "--json"]);
  return JSON.parse(stdout);
}
