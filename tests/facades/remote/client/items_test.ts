import assert from "node:assert/strict";
import type { Update } from "../../../../core/event.ts";
import { items } from "../../../../facades/remote/client/items.ts";
import { Mirror } from "../../../../facades/remote/client/mirror.ts";
import { readMessage } from "../../../../facades/remote/client/read_message.ts";
import type { Pending, View } from "../../../../facades/remote/client/view.ts";
import type { ServerMessage } from "../../../../facades/remote/wire.ts";
import { Teller } from "./histories.ts";
import { RealRecord } from "./real_record.ts";

const ID = "20260101-000000-00000000";

/** A mirror of a record that something happens in. */
function attached(): { mirror: Mirror; teller: Teller; view(): View } {
  const record = new RealRecord(ID, { events: 1_000, bytes: 1e6 });
  const mirror = new Mirror({ session: ID });
  const hear = (frame: string) => {
    mirror.receive(readMessage(frame) as ServerMessage);
  };
  const teller = new Teller((update: Update) => {
    record.push(update).forEach(hear);
  });
  teller.record({ type: "opened", cwd: "/project", model: "m" });
  record.attach({}).forEach(hear);
  return { mirror, teller, view: () => ({ ...mirror.view, pending: [] }) };
}

const call = { id: "call-1", name: "shell", arguments: {} };
const shown = { title: "Run ls", kind: "execute", locations: [] } as const;
const request = { ...shown, id: "ask-1", call, diffs: [], reason: "" };

Deno.test("items() puts what runs, what is asked and what is told in their places, what is on its way last", () => {
  const { teller, view } = attached();
  const kinds = (pending: readonly Pending[] = []) =>
    items({ ...view(), pending }).map((i) => i.type);
  teller.message({ role: "user", content: "Do it" });
  teller.live({ type: "running", running: true });
  teller.live({ type: "notice", level: "warning", text: "Slowly" });
  teller.live({ type: "thought", messageId: "m-3", text: "Hm" });
  teller.live({ type: "text", messageId: "m-3", text: "I sh" });
  const pending: Pending = { id: "p", type: "steer", content: "Hurry" };
  assert.deepEqual(kinds([pending]), [
    "user",
    "note",
    "thought",
    "assistant",
    "pending",
  ]);
  teller.message({
    role: "assistant",
    content: "I shall",
    thought: "Hm",
    toolCalls: [call],
  });
  teller.live({ type: "tool_started", call, ...shown });
  teller.live({ type: "approval_asked", request });
  teller.message({ role: "user", content: "Hurry" });
  assert.deepEqual(kinds(), [
    "user",
    "note",
    "thought",
    "assistant",
    "running_tool",
    "user",
  ]);
  const card = items(view()).find((i) => i.type === "running_tool");
  assert.equal(card?.question?.request.id, "ask-1");
  teller.live({
    type: "approval_settled",
    requestId: "ask-1",
    decision: { outcome: "reject" },
  });
  teller.message({
    role: "tool",
    toolCallId: "call-1",
    name: "shell",
    content: "Denied",
    status: "failed",
    approval: "denied",
  });
  assert.equal(items(view()).some((i) => i.type === "running_tool"), false);
  assert.equal(items(view())[4]?.key, card?.key, "the card keeps its key");
});

Deno.test("items() gives what did not change as the same objects", () => {
  const { teller, view } = attached();
  teller.message({ role: "user", content: "One" });
  teller.message({ role: "assistant", content: "Two", toolCalls: [call] });
  teller.live({ type: "tool_started", call, ...shown });
  const before = items(view());
  teller.live({ type: "tool_output", toolCallId: "call-1", text: "a\n" });
  teller.live({ type: "text", messageId: "m-9", text: "Three" });
  const after = items(view());
  assert.equal(after[0], before[0]);
  assert.equal(after[1], before[1]);
  assert.notEqual(after[2], before[2]);
  assert.deepEqual(after.map((i) => i.key), [
    "user-m-2",
    "assistant-m-3",
    "tool-call-1",
    "assistant-m-9",
  ]);
});

Deno.test("a mirror tells failures, notices and what was taken back as notes, live alone", () => {
  const { mirror, teller, view } = attached();
  const from = teller.message({ role: "user", content: "Never mind" });
  teller.live({ type: "running", running: true });
  teller.record({ type: "withdrawn", from });
  teller.live({ type: "running", running: false });
  const again = teller.message({ role: "user", content: "Go" });
  teller.live({ type: "running", running: true });
  teller.record({ type: "withdrawn", from: again });
  teller.record({
    type: "failed",
    kind: "generation",
    turns: 0,
    question: "Go",
    line: "Cannot reach the server",
  });
  teller.live({ type: "running", running: false });
  assert.deepEqual(mirror.view.notes.map((n) => [n.level, n.text]), [
    ["info", "Cancelled before there was an answer: the question is not kept"],
    ["error", "Cannot reach the server"],
  ]);
  assert.deepEqual(items(view()).map((i) => i.type), ["note", "note"]);
  assert.equal(mirror.view.state.errors.length, 1);
});
