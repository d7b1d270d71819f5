import type { EventDraft, SessionEvent } from "../../core/event.ts";
import { empty, fold } from "../../core/fold.ts";
import type { Message } from "../../core/message.ts";

/** An event of a type that no version knows yet. */
export interface Unheard {
  readonly type: "unheard_of";
  readonly payload: unknown;
}

/** Gives drafts their place and time, from `after` on. */
export function history(
  drafts: readonly (EventDraft | Unheard)[],
  after = 0,
): readonly SessionEvent[] {
  return drafts.map((draft, i) => ({
    at: time(after + i + 1),
    ...draft,
    seq: after + i + 1,
  } as SessionEvent));
}

/** The time of event `n`: a second each. */
export function time(n: number): string {
  return new Date(Date.UTC(2026, 8, 16, 10, 15, 30) + n * 1000).toISOString();
}

/** A valid session id, another for each `n`. */
export function sessionId(n: number): string {
  return `20260916-101530-${n.toString(16).padStart(8, "0")}`;
}

/** The first event of a new conversation. */
export function opened(cwd = "/work/app", model = "demo"): EventDraft {
  return { type: "opened", cwd, model };
}

/** A question. */
export function question(content: string, id = "q"): EventDraft {
  return say({ role: "user", id, content });
}

/** An answer in text. */
export function answer(content: string, id = "a"): EventDraft {
  return say({
    role: "assistant",
    id,
    content,
    model: "demo",
    stopReason: "end_turn",
    usage: { input: 10, output: 5, cached: 2 },
  });
}

/** A message event. */
export function say(message: Message): EventDraft {
  return { type: "message", message };
}

const settled: EventDraft = { type: "settled", reason: "end_turn" };

const prompt = say({ role: "system", id: "s", content: "Be brief." });

/** A question with blocks, a thought, two tool calls and their results. */
const toolTurn: readonly EventDraft[] = [
  say({
    role: "user",
    id: "q1",
    content: [
      { type: "text", text: "What is in\nthese?" },
      { type: "image", data: "AAAA", mimeType: "image/png", uri: "file:///a" },
      { type: "audio", data: "AAAA", mimeType: "audio/wav" },
      { type: "resource_link", uri: "file:///b", name: "b" },
      { type: "resource", resource: { uri: "file:///c", text: "see" } },
    ],
  }),
  say({
    role: "assistant",
    id: "a1",
    content: "",
    thought: "I should look",
    stopReason: "tool_use",
    toolCalls: [
      { id: "c1", name: "read", arguments: { path: "b", n: [1, null, true] } },
      { id: "c2", name: "edit", arguments: "{not json" },
    ],
    provider: { signature: "x", nested: { deep: [1.5, -2e30] } },
  }),
  say({
    role: "tool",
    id: "t1",
    toolCallId: "c1",
    name: "read",
    content: "1 hello",
    status: "completed",
    approval: "auto",
    title: "Read b",
    kind: "read",
    locations: [{ path: "/work/app/b", line: 1 }],
  }),
  say({
    role: "tool",
    id: "t2",
    toolCallId: "c2",
    name: "edit",
    content: "Cannot edit",
    status: "failed",
    approval: "denied",
    diffs: [
      { path: "/b", oldText: null, newText: "x" },
      { path: "/c", oldText: "y", newText: "", line: 3 },
    ],
  }),
  answer("A file that says hello", "a2"),
];

function failure(n: number): EventDraft {
  return {
    type: "failed",
    kind: n % 2 ? "generation" : "compaction",
    turns: n,
    question: `question ${n}`,
    line: `Cannot reach the model (${n})`,
    ...(n % 3 === 0 && { raw: `ECONNREFUSED\n${n}` }),
    ...(n % 5 === 0 && { prompt: `question ${n}\nand its second line` }),
  };
}

/** Conversations that together use every event type. */
export const histories: Readonly<Record<string, readonly SessionEvent[]>> = {
  "opened only": history([opened()]),
  "one turn": history([
    opened(),
    prompt,
    question("Hello?"),
    answer("Hello."),
    settled,
  ]),
  "an open turn with tools": history([opened(), prompt, ...toolTurn]),
  "a settled turn, then a new prompt": history([
    opened(),
    prompt,
    ...toolTurn,
    settled,
    say({ role: "system", id: "s2", content: "Be long." }),
    question("And now?"),
  ]),
  "a steered turn": history([
    opened(),
    question("Go"),
    ...toolTurn.slice(1, 3),
    question("No, the other one", "q2"),
    answer("Right"),
    settled,
  ]),
  "a withdrawn question": history([
    opened(),
    prompt,
    question("Hello?"),
    answer("Hello."),
    settled,
    question("Are you there?"),
    { type: "withdrawn", from: 6 },
    failure(1),
    question("Again"),
    { type: "settled", reason: "cancelled" },
  ]),
  "compacted between turns": history([
    opened(),
    prompt,
    question("One"),
    answer("1"),
    settled,
    question("Two"),
    answer("2"),
    settled,
    { type: "compacted", summary: "They counted.", keepFrom: 6 },
    question("Three"),
    answer("3"),
    settled,
    { type: "compacted", summary: "They counted on.", keepFrom: 13 },
  ]),
  "compacted in a turn that is then withdrawn": history([
    opened(),
    prompt,
    question("One"),
    answer("1"),
    settled,
    question("Two"),
    { type: "compacted", summary: "They counted.", keepFrom: 6 },
    { type: "withdrawn", from: 6 },
    failure(2),
  ]),
  "250 failures": history([
    opened(),
    ...Array.from({ length: 250 }, (_, n) => failure(n)),
  ]),
  "titled, and types nobody knows": history([
    opened(),
    { type: "unheard_of", payload: { a: [1] } },
    question("Hello?"),
    { type: "titled", title: "Greetings\nsecond line" },
    { type: "unheard_of", payload: null },
    answer("Hello."),
  ]),
  "come from another session": history([
    { type: "opened", cwd: "/work/app", model: "demo", parent: sessionId(99) },
    question("Where were we?"),
  ]),
  "restored elsewhere": restored(),
};

function restored(): readonly SessionEvent[] {
  const before = history([opened(), prompt, ...toolTurn, settled, failure(3)]);
  const state = { ...before.reduce(fold, empty()), parent: sessionId(98) };
  const drafts: EventDraft[] = [
    { type: "restored", state },
    question("Go on"),
    answer("On I go"),
    settled,
  ];
  return history(drafts, state.seq);
}
