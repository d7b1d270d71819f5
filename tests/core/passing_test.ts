import assert from "node:assert/strict";
import fc from "fast-check";
import type { Live, Update } from "../../core/event.ts";
import { Passing } from "../../core/passing.ts";

const call = (id: string) => ({ id, name: "shell", arguments: {} });

const started = (id: string): Live => ({
  type: "tool_started",
  call: call(id),
  title: `Run ${id}`,
  kind: "execute",
  locations: [],
});

Deno.test("passing tells a partial answer and running calls to who comes late", () => {
  const passing = new Passing();
  const told: Live[] = [
    { type: "thought", messageId: "m", text: "Hm, " },
    { type: "thought", messageId: "m", text: "well." },
    { type: "text", messageId: "m", text: "I " },
    { type: "text", messageId: "m", text: "look." },
  ];
  for (const update of told) passing.hear(update);
  assert.deepEqual([...passing.updates()], [
    { type: "thought", messageId: "m", text: "Hm, well." },
    { type: "text", messageId: "m", text: "I look." },
  ]);
  passing.hear(message("assistant", "m"));
  assert.deepEqual([...passing.updates()], []);
  passing.hear(started("a"));
  passing.hear(started("b"));
  passing.hear({ type: "tool_running", toolCallId: "a" });
  passing.hear({ type: "tool_output", toolCallId: "a", text: "1\n" });
  passing.hear({ type: "tool_output", toolCallId: "a", text: "2\n" });
  assert.deepEqual([...passing.updates()], [
    started("a"),
    { type: "tool_running", toolCallId: "a" },
    { type: "tool_output", toolCallId: "a", text: "1\n2\n" },
    started("b"),
  ]);
  passing.hear(result("a"));
  assert.deepEqual([...passing.updates()], [started("b")]);
  passing.hear({ type: "running", running: false });
  assert.deepEqual([...passing.updates()], []);
});

Deno.test("passing forgets an answer that was given up for another", () => {
  const passing = new Passing();
  passing.hear({ type: "text", messageId: "m", text: "No" });
  passing.hear({ type: "text", messageId: "n", text: "Yes" });
  assert.deepEqual([...passing.updates()], [
    { type: "text", messageId: "n", text: "Yes" },
  ]);
});

Deno.test("passing keeps a bounded tail of what a call prints, whole characters only", () => {
  const passing = new Passing();
  passing.hear(started("a"));
  for (let n = 0; n < 100; n++) {
    const text = `${"😀".repeat(2000)}x`;
    passing.hear({ type: "tool_output", toolCallId: "a", text });
  }
  const output = [...passing.updates()].at(-1);
  assert(output?.type === "tool_output");
  assert(output.text.length <= 128 * 1024 && output.text.length > 60_000);
  assert(output.text.isWellFormed());
});

Deno.test("told late or live, a turn leads to the same", () => {
  const live = fc.array(fc.oneof(
    fc.record({
      type: fc.constantFrom("text" as const, "thought" as const),
      messageId: fc.constantFrom("m", "n"),
      text: fc.string(),
    }),
    fc.constantFrom(...["a", "b"].flatMap((id): Update[] => [
      started(id),
      { type: "tool_running", toolCallId: id },
      { type: "tool_output", toolCallId: id, text: "out" },
      result(id),
    ])),
    fc.constantFrom(message("assistant", "m"), message("user", "u")),
    fc.constant<Update>({ type: "running", running: false }),
  ));
  fc.assert(fc.property(live, live, (before, after) => {
    const whole = new Passing();
    for (const update of [...before, ...after]) whole.hear(update);
    const early = new Passing();
    for (const update of before) early.hear(update);
    const late = new Passing();
    for (const update of [...early.updates(), ...after]) late.hear(update);
    assert.deepEqual([...late.updates()], [...whole.updates()]);
  }));
});

function message(role: "assistant" | "user", id: string): Update {
  const message = { role, id, content: "" };
  return { type: "message", seq: 1, at: "", message };
}

function result(toolCallId: string): Update {
  return {
    type: "message",
    seq: 1,
    at: "",
    message: {
      role: "tool",
      id: `r-${toolCallId}`,
      toolCallId,
      name: "shell",
      content: "",
      status: "completed",
      approval: "auto",
    },
  };
}
