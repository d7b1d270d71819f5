import assert from "node:assert/strict";
import type { Message, ToolCall } from "../../../core/message.ts";
import { DemoModel } from "../../../plugins/demo/model.ts";
import { parseRequest } from "../../../plugins/demo/wish.ts";
import { collect, failure, said } from "../models.ts";

const model = new DemoModel({ delay: 0 });

const TOOLS = ["read", "list", "search", "write", "edit", "shell"].map(
  (name) => ({ name, description: "", parameters: {} }),
);

const user = (content: string): Message => ({ role: "user", id: "u", content });

function ask(...messages: (string | Message)[]) {
  return collect(model, {
    messages: messages.map((m) => typeof m === "string" ? user(m) : m),
    tools: TOOLS,
  });
}

function calling(call: ToolCall, content: string): Message[] {
  return [
    { role: "assistant", id: "a", content: "", toolCalls: [call] },
    {
      role: "tool",
      id: "t",
      toolCallId: call.id,
      name: call.name,
      content,
      status: "completed",
      approval: "auto",
    },
  ];
}

Deno.test("the demo says what it is", () => {
  assert.match(model.notice, /demo model, not a real AI/);
});

Deno.test("the demo turns requests into tool calls", () => {
  const cases: [string, string, Record<string, unknown>][] = [
    ["read README.md", "read", { path: "README.md" }],
    ["Read `src/a b.ts`.", "read", { path: "src/a b.ts" }],
    ["list", "list", {}],
    ["ls src/", "list", { path: "src/" }],
    ["list files in docs", "list", { path: "docs" }],
    ["list .", "list", { path: "." }],
    ["search TODO in src", "search", { pattern: "TODO", path: "src" }],
    ['search for "two words"', "search", { pattern: "two words" }],
    ["run ls -la | head", "shell", { command: "ls -la | head" }],
    ["$ echo 'a: b'", "shell", { command: "echo 'a: b'" }],
    ["write a.txt: hello: world", "write", {
      path: "a.txt",
      content: "hello: world\n",
    }],
    ['write "hello there" to b.txt', "write", {
      path: "b.txt",
      content: "hello there\n",
    }],
    ["edit a.txt: hello -> bye", "edit", {
      path: "a.txt",
      old: "hello",
      new: "bye",
    }],
  ];
  for (const [text, name, args] of cases) {
    const [wish] = parseRequest(text);
    assert.equal(wish?.type, "call", text);
    if (wish?.type !== "call") continue;
    assert.deepEqual([wish.name, wish.arguments], [name, args]);
  }
});

Deno.test("the demo calls one tool after the other, and reports each result", async () => {
  const first = await ask("read a.md then run ls");
  assert.equal(first.reply.stopReason, "tool_use");
  const [call] = first.reply.toolCalls ?? [];
  assert.deepEqual(call, {
    id: "demo_1",
    name: "read",
    arguments: { path: "a.md" },
  });
  if (!call) return;
  const done = calling(call, "# Title\nmore\n");
  const second = await ask("read a.md then run ls", ...done);
  assert.match(
    second.reply.content,
    /The read tool says: “# Title” \(and 1 more line\)/,
  );
  assert.deepEqual(second.reply.toolCalls?.[0], {
    id: "demo_2",
    name: "shell",
    arguments: { command: "ls" },
  });
  const more = calling(second.reply.toolCalls?.[0] ?? call, "a.md");
  const last = await ask("read a.md then run ls", ...done, ...more);
  assert.equal(last.reply.stopReason, "end_turn");
  assert.match(last.reply.content, /The shell tool says: “a.md”/);
});

Deno.test("the demo thinks, counts, fails and helps", async () => {
  const thought = await ask("think about cats");
  assert.match(said(thought.deltas, "thought"), /cats/);
  assert.equal(said(thought.deltas, "thought"), thought.reply.thought);
  const counted = await ask("count to 12");
  assert.equal(counted.reply.content, "1 2 3 4 5 6 7 8 9 10 11 12");
  assert.equal(counted.deltas.length, 12);
  const failed = await failure(model, {
    messages: [user("fail")],
    tools: TOOLS,
  });
  assert.equal(failed.message, "The demo model failed, as you asked");
  for (const text of ["help", "what can you do?", "", "bonjour"]) {
    assert.match((await ask(text)).reply.content, /not a real AI/);
  }
});

Deno.test("the demo says when a tool is missing", async () => {
  const { reply } = await collect(model, {
    messages: [user("read a")],
    tools: [],
  });
  assert.equal(reply.content, "I would read, but there is no such tool here.");
});

Deno.test("the demo summarises a transcript when asked", async () => {
  const { reply } = await collect(model, {
    messages: [
      { role: "system", id: "s", content: "You write the summary." },
      user(
        "<transcript>\nUser: read a.md\nplease\n\nAssistant: I will.\nCalled read {}\n\nResult of read (completed): # Title\n</transcript>\n\nWrite the summary of this conversation now.",
      ),
    ],
    tools: [],
  });
  assert.equal(
    reply.content,
    "Summary of the conversation so far:\n- User: read a.md\n- Assistant: I will.\n- Result of read (completed): # Title",
  );
});

Deno.test("the demo stops at once when aborted", async () => {
  const slow = new DemoModel({ delay: 20 });
  const controller = new AbortController();
  const reason = new Error("stopped by the test");
  setTimeout(() => controller.abort(reason), 70);
  await assert.rejects(
    collect(
      slow,
      { messages: [user("count to 500")], tools: [] },
      controller.signal,
    ),
    (error) => error === reason,
  );
});
