import { deepStrictEqual, match, strictEqual as equal } from "node:assert";
import { newId } from "../../../core/id.ts";
import { MemoryStore } from "../../../core/memory_store.ts";
import { call } from "../../scripted_model.ts";
import { Remembering, run } from "./edges.ts";
import { TempDir } from "../../temp_dir.ts";

Deno.test("plain: answers go to stdout, the rest to stderr", async () => {
  const ran = await run(
    [{ toolCalls: [call("read", { text: "a.ts" })] }, "It is short.", "Bye."],
    { stdin: "read it\nthanks\n", host: { notices: ["a notice"] } },
  );
  equal(ran.out, "It is short.\nBye.\n");
  equal(ran.err, "a notice\n• Read a.ts\n");
  equal(ran.code, 0);
});

Deno.test("plain: the red line is the recorded one, and the code that of the last turn", async () => {
  const ran = await run([new Error("The server is down"), "Up again."], {
    stdin: "one\n",
  });
  equal(ran.code, 1);
  const [session] = (await ran.agent.list()).items;
  const state = await ran.agent.read(session?.id ?? "");
  equal(ran.err, `${state?.errors[0]?.line}\n`);
  const again = await run([], { stdin: "two\n", after: ran });
  equal(again.code, 0);
  equal(again.out, "Up again.\n");
});

Deno.test("plain: CRLF, blank lines, bad UTF-8 and a last line without end are questions too", async () => {
  const bytes = new Uint8Array([0x61, 0xff, 0x0d, 0x0a, 0x0a, 0xc3]);
  const ran = await run(["1.", "2."], {
    stdin: [bytes, new Uint8Array([0xa9])],
  });
  const [{ id } = { id: "" }] = (await ran.agent.list()).items;
  const asked = (await ran.agent.read(id))?.messages.flatMap((m) =>
    m.role === "user" ? [m.content] : []
  );
  deepStrictEqual(asked, ["a\ufffd", "é"]);
  equal(ran.out, "1.\n2.\n");
});

Deno.test("plain: a line of 3 MB in small pieces is one question", async () => {
  const chunk = new TextEncoder().encode("x".repeat(1024));
  const ran = await run(["ok"], { stdin: Array(3 * 1024).fill(chunk) });
  const [{ id } = { id: "" }] = (await ran.agent.list()).items;
  const asked = (await ran.agent.read(id))?.messages.find((m) =>
    m.role === "user"
  );
  equal(asked?.content.length, 3 * 1024 * 1024);
});

Deno.test("plain: nothing asked leaves no session", async () => {
  const ran = await run([], { stdin: "\n\n/help\n" });
  deepStrictEqual((await ran.agent.list()).items, []);
  match(ran.out, /\/resume/);
  equal(ran.code, 0);
});

Deno.test("plain: what would be asked is denied", async () => {
  const ran = await run([
    { toolCalls: [call("edit", { text: "a.ts" })] },
    "I may not.",
  ], { stdin: "edit\n" });
  equal(ran.out, "I may not.\n");
  match(ran.err, /^• Edit a\.ts\n {2}failed: Denied: nobody is there/);
});

Deno.test("plain: /sessions is a table, /resume replays to stderr and goes on", async () => {
  const first = await run(["One.", "Two.", "Three."], { stdin: "first\n" });
  const ran = await run([], {
    stdin: "/sessions\n/resume 1\nmore\n/new\nother\n",
    after: first,
  });
  match(ran.err, /^1 earlier conversation: \/sessions/m);
  match(
    ran.out,
    /^- 1 `\d{8}-\d{6}-\w{8}` first · 1 turn · [\w ]+\nTwo\.\nThree\.\n$/,
  );
  match(ran.err, /> first\nOne\.\nResumed "first" · 1 turn\n/);
  equal((await ran.agent.list()).items.length, 2);
});

Deno.test("plain: an unknown command and a session that is not there are told in red", async () => {
  const ran = await run([], { stdin: `/helpp\n/resume ${newId()}\n` });
  match(ran.err, /^Cannot find command \/helpp: did you mean \/help\?$/m);
  match(ran.err, /^Cannot resume session .*: there is no such session$/m);
  equal(ran.code, 1);
});

Deno.test("plain: --session replays, and reports its errors", async () => {
  const first = await run(["One.", new Error("Down")], {
    stdin: "first\nsecond\n",
  });
  const [{ id } = { id: "" }] = (await first.agent.list()).items;
  const session = await first.agent.session(id);
  const ran = await run([], {
    after: first,
    ...session && { host: { session } },
  });
  equal(ran.err, '> first\nOne.\nResumed "first" · 1 turn · ⚠️ 1 error(s)\n');
});

Deno.test("plain: that a conversation is resumed stands before what is being said in it", async () => {
  const first = await run(["One."], { stdin: "first\n" });
  const [{ id } = { id: "" }] = (await first.agent.list()).items;
  const session = (await first.agent.session(id))!;
  session.passing =
    () => [{ type: "text", messageId: "m", text: "Half of an ans" }];
  const screen = new Remembering();
  await run([], {
    after: first,
    host: { session },
    stdout: screen,
    stderr: screen,
  });
  match(screen.text, /One\.\nResumed "first" · 1 turn\nHalf of an ans/);
});

Deno.test("plain: a tool call as long as a book is told in one short line", async () => {
  const ran = await run([
    { toolCalls: [call("read", { text: "x".repeat(1e6) })] },
    "Done.",
  ], { stdin: "read\n" });
  equal(ran.err, `• Read ${"x".repeat(294)}…\n`);
  const [{ id } = { id: "" }] = (await ran.agent.list()).items;
  const session = await ran.agent.session(id);
  const again = await run([], {
    after: ran,
    ...session && { host: { session } },
  });
  match(again.err, /^• Read x{294}…$/m);
});

Deno.test("once: a turn that ran out of rounds is a failure", async () => {
  const ran = await run([{ toolCalls: [call("read", { text: "a" })] }], {
    host: { question: "go" },
    agent: { maxRounds: 1 },
  });
  match(ran.err, /^Stopped after 1 rounds of tool calls/m);
  equal(ran.code, 1);
});

Deno.test("once: asks, answers, returns", async () => {
  const ran = await run(["Forty-two."], {
    stdin: "never read\n",
    host: { question: "what?" },
  });
  equal(ran.out, "Forty-two.\n");
  equal(ran.err, "");
  equal(ran.code, 0);
});

Deno.test("once: a stop cancels the turn, keeps what it said and gives 130", async () => {
  const stop = new AbortController();
  const ran = await run([
    () => {
      stop.abort();
      return "never";
    },
  ], { host: { question: "what?", signal: stop.signal } });
  equal(ran.code, 130);
  equal(ran.out, "");
});

Deno.test("once: a reader that leaves ends it quietly, with everything saved", async () => {
  const ran = await run(["word ".repeat(10_000)], {
    host: { question: "much?" },
    stdout: new Remembering(20),
  });
  equal(ran.code, 130);
  match(ran.err, /^(Cancelled\n)?$/);
  const [{ id } = { id: "" }] = (await ran.agent.list()).items;
  const state = await ran.agent.read(id);
  equal(state?.open, undefined);
  equal(state?.errors.length, 0);
});

Deno.test("once: --quiet leaves the answer and the red line alone", async () => {
  const steps = [
    { toolCalls: [call("read", { text: "a" })] },
    new Error("Down"),
  ];
  const ran = await run(steps, {
    host: { question: "q", quiet: true, notices: ["n"] },
  });
  equal(ran.out, "");
  equal(ran.err, "Down\n");
});

Deno.test("plain: a terminal is never sent what the model wrote to steer it", async () => {
  const stdout = new Remembering();
  stdout.isTerminal = true;
  const ran = await run(["a\x1b]0;own ed\x07b \x1b[2Jc"], {
    host: { question: "q" },
    stdout,
  });
  equal(ran.out, "ab c\n");
});

Deno.test("plain: emoji that arrive in halves come out whole", async () => {
  const ran = await run(["\ud83c", "x"], { host: { question: "q" } });
  equal(ran.out, "\ufffd\n");
  const { Output } = await import("../../../facades/terminal/output.ts");
  const sink = new Remembering();
  const output = new Output(sink);
  output.write("a\ud83c");
  await new Promise((resolve) => setTimeout(resolve, 5));
  output.write("\udf89b");
  await output.flush();
  equal(sink.text, "a🎉b");
});

Deno.test("plain: a conversation that another process took over goes on under its new id", async () => {
  const store = new MemoryStore();
  const first = await run(["One.", "Mine."], {
    stdin: "first\n",
    agent: { store },
  });
  const [{ id } = { id: "" }] = (await first.agent.list()).items;
  const session = await first.agent.session(id);
  await run(["Theirs."], {
    stdin: `/resume ${id}\nother\n`,
    agent: { store },
  });
  const ran = await run([], {
    after: first,
    stdin: "second\n",
    ...session && { host: { session } },
  });
  equal(ran.out, "Mine.\n");
  equal(
    ran.err.includes(
      `Another process changed session ${id}: this conversation continues as ${session?.id}\n`,
    ),
    true,
  );
});

Deno.test("json: every update is a line, and nothing else is on stdout", async () => {
  const host = { output: "json" } as const;
  const ran = await run(["One.", "Two."], { stdin: "first\n/tools\n", host });
  const lines = ran.out.trim().split("\n").map((line) => JSON.parse(line));
  const types = lines.map(({ type }) => type);
  deepStrictEqual(
    types.filter((t) => t !== "text" && t !== "running"),
    ["session", "opened", "message", "message", "message", "settled"],
  );
  match(ran.err, /Reads/);
  const again = await run([], { stdin: "/resume 1\n", host, after: ran });
  const replayed = again.out.trim().split("\n").map((line) => JSON.parse(line));
  deepStrictEqual(replayed.map(({ type, item }) => [type, item?.type]), [
    ["session", undefined],
    ["session", undefined],
    ["replay", "user"],
    ["replay", "assistant"],
  ]);
});

Deno.test("plain: /export writes a new file each time", async () => {
  await using dir = await TempDir.make();
  const cwd = dir.path;
  const ran = await run(["One."], {
    stdin: "first\n/export\n/export\n",
    agent: { cwd },
  });
  const names = (await Array.fromAsync(Deno.readDir(cwd))).map((e) => e.name);
  equal(names.length, 2);
  match(names.sort().join(), /^\S+-2\.md,\S+\.md$/);
  match(ran.out, /Exported to/);
});

Deno.test("plain: an /export that cannot be written is told with its name", async () => {
  const ran = await run(["One."], {
    stdin: "first\n/export\n",
    agent: { cwd: "/nowhere/at/all" },
  });
  match(ran.err, /^Cannot write \/nowhere\/at\/all\/[\w-]+\.md: No such file/m);
  equal(ran.code, 1);
});
