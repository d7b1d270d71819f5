import assert from "node:assert/strict";
import fc from "fast-check";
import {
  context,
  contextSize,
  cutMiddle,
  estimateTokens,
} from "../../core/context.ts";
import type { EventDraft } from "../../core/event.ts";
import type { Message, ToolMessage } from "../../core/message.ts";
import { drafts } from "./histories.ts";
import { stateOf } from "./setup.ts";

const said = (message: Message): EventDraft => ({ type: "message", message });
const user = (content: string) => said({ role: "user", id: content, content });
const asks = (content: string, calls: string[], saw?: number) =>
  said({
    role: "assistant",
    id: content,
    content,
    toolCalls: calls.map((id) => ({ id, name: "look", arguments: {} })),
    ...(saw !== undefined && { saw }),
  });
const result = (toolCallId: string, content = "did") =>
  said({
    role: "tool",
    id: `r-${toolCallId}`,
    toolCallId,
    name: "look",
    content,
    status: "completed",
    approval: "auto",
  });
const read = (...events: EventDraft[]) =>
  context(stateOf(events), "today").map((m) =>
    m.role === "tool" ? `tool ${m.toolCallId}` : `${m.role} ${m.content}`
  );

Deno.test("context() begins with today's system prompt, never the recorded one", () => {
  const recorded = said({ role: "system", id: "s", content: "yesterday" });
  assert.deepEqual(read(recorded, user("hi")), ["system today", "user hi"]);
});

Deno.test("context() puts each result right behind its call, and a steer after them", () => {
  assert.deepEqual(
    read(
      user("go"),
      asks("both", ["a", "b"]),
      result("b"),
      user("steer"),
      result("a"),
      asks("done", []),
    ),
    [
      "system today",
      "user go",
      "assistant both",
      "tool a",
      "tool b",
      "user steer",
      "assistant done",
    ],
  );
});

Deno.test("context() has a message that arrived during an answer follow it", () => {
  assert.deepEqual(
    read(user("go"), user("late"), asks("one", ["a"], 1), result("a")),
    ["system today", "user go", "assistant one", "tool a", "user late"],
  );
  assert.deepEqual(
    read(user("go"), user("seen"), asks("one", [], 2)),
    ["system today", "user go", "user seen", "assistant one"],
  );
});

Deno.test("context() tells a summary as a user's message", () => {
  const [, summary] = context(
    stateOf([
      user("old"),
      asks("answer", []),
      user("new"),
      { type: "compacted", summary: "short", keepFrom: 3 },
    ]),
    "today",
  );
  assert.equal(summary?.role, "user");
  assert.match(String(summary?.content), /Summary.*short/s);
});

Deno.test("context() leaves out results without a call and fills in missing ones", () => {
  const messages = context(
    stateOf([result("gone"), user("go"), asks("one", ["a"])]),
    "today",
  );
  assert.deepEqual(messages.map((m) => m.role), [
    "system",
    "user",
    "assistant",
    "tool",
  ]);
  assert.equal(messages.at(-1)?.content, "No result was recorded");
});

Deno.test("context() leaves out an answer that says nothing", () => {
  assert.deepEqual(read(user("go"), asks("", [])), ["system today", "user go"]);
});

Deno.test("context() cuts a result larger than its share of the window, and only there", () => {
  const state = stateOf([
    user("go"),
    asks("one", ["a"]),
    result("a", "x".repeat(5000)),
  ]);
  const size = (window?: number) =>
    context(state, "today", window).at(-1)?.content.length ?? 0;
  assert.equal(size(), 5000);
  assert.equal(size(10_000), 5000);
  assert.equal(size(1000) < 1300, true);
  assert.equal(state.messages.at(-1)?.content.length, 5000);
});

Deno.test("cutMiddle() keeps both ends and never half a character", () => {
  const cut = cutMiddle("😀".repeat(1000), 101);
  assert.equal(cut.isWellFormed(), true);
  assert.match(cut, /characters left out/);
  assert.equal(cutMiddle("short", 10), "short");
});

Deno.test("contextSize() counts from the server's last word, else by estimate", () => {
  const usage = { input: 100, output: 10 };
  const answer = said({ role: "assistant", id: "a", content: "b", usage });
  const state = stateOf([user("a"), answer, user("x".repeat(400))]);
  assert.equal(contextSize(state, "s"), 110 + Math.ceil(416 / 4));
  const guessed = stateOf([user("x".repeat(400))]);
  assert.equal(
    contextSize(guessed, "s"),
    estimateTokens(context(guessed, "s")),
  );
});

Deno.test("context() of any history is one the model's API accepts", () => {
  fc.assert(fc.property(drafts, (history) => {
    const state = stateOf(withResults(history));
    const messages = context(state, "today");
    assert.equal(messages[0]?.role, "system");
    assert.equal(messages.filter((m) => m.role === "system").length, 1);
    checkResults(messages);
    const users = (all: readonly Message[]) =>
      all.flatMap((m) => m.role === "user" ? [m.id] : []).toSorted();
    assert.deepEqual(users(messages), users(state.messages));
  }));
});

/** Turns some results into those of calls that were made. */
function withResults(history: readonly EventDraft[]): EventDraft[] {
  const open: string[] = [];
  return history.map((draft) => {
    if (draft.type !== "message") return draft;
    const { message } = draft;
    if (message.role === "assistant") {
      open.push(...message.toolCalls?.map((c) => c.id) ?? []);
    }
    if (message.role !== "tool") return draft;
    const toolCallId = open.shift() ?? message.toolCallId;
    return { ...draft, message: { ...message, toolCallId } };
  });
}

function checkResults(messages: readonly Message[]): void {
  let due: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      assert.equal((message as ToolMessage).toolCallId, due.shift());
      continue;
    }
    assert.deepEqual(due, [], "a call has its results right behind it");
    if (message.role !== "assistant") continue;
    due = message.toolCalls?.map((c) => c.id) ?? [];
  }
  assert.deepEqual(due, []);
}
