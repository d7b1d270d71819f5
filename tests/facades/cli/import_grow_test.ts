import assert from "node:assert/strict";
import { copySession } from "../../../core/copy_session.ts";
import type { EventDraft } from "../../../core/event.ts";
import { MemoryStore } from "../../../core/memory_store.ts";
import type { Store } from "../../../core/store.ts";
import { readConversation } from "../../../facades/cli/sessions/import/read.ts";
import { readJson } from "../../../facades/cli/sessions/import/values.ts";
import { Project } from "./project.ts";

const at = (s: number) => ({
  timestamp: `2026-03-01T09:00:${`${s}`.padStart(2, "0")}.000Z`,
});

for (const [tool, lines] of Object.entries(transcripts())) {
  Deno.test(`a transcript of ${tool} is brought up to date wherever the first import fell`, async () => {
    const whole = conversation(lines);
    for (let early = 1; early < lines.length; early++) {
      if (!conversation(lines.slice(0, early))) continue;
      for (let late = early; late <= lines.length; late++) {
        await using store = new MemoryStore();
        await put(lines.slice(0, early), store);
        const status = await put(lines.slice(0, late), store);
        assert.match(status, /^(updated|same|newer)$/, `${early} to ${late}`);
        const again = await put(lines.slice(0, early), store);
        assert.match(again, /^(updated|same|newer)$/, `${late} to ${early}`);
        await put(lines, store);
        assert.deepEqual(await store.read(whole!.id), whole!.state);
      }
    }
  });

  Deno.test(`a transcript of ${tool} that grew takes nothing that was said here`, async () => {
    const first = conversation(lines.slice(0, 5))!;
    const more: EventDraft[] = [
      { type: "message", message: { role: "user", id: "here", content: "?" } },
      { type: "settled", reason: "end_turn" },
    ];
    await using store = new MemoryStore();
    await put(lines.slice(0, 5), store);
    for (const [i, draft] of more.entries()) {
      const seq = first.state.seq + 1 + i;
      await store.append(first.id, [{ ...draft, seq, at: at(59).timestamp }]);
    }
    assert.equal(await put(lines.slice(0, 5), store), "newer");
    assert.equal(await put(lines, store), "different");
  });
}

Deno.test("mm sessions import brings up to date what it took in the middle of a turn, and takes an earlier file for imported", async () => {
  const { "Claude Code": lines } = transcripts();
  await using project = await Project.make({
    "part.jsonl": text(lines.slice(0, 4)),
    "whole.jsonl": text(lines),
  });
  for (
    const [file, said] of [
      ["part", "imported"],
      ["whole", "brought up to date"],
      ["part", "imported before and gone on since"],
    ]
  ) {
    const args = ["sessions", "import", `${file}.jsonl`];
    const { code, stderr } = await project.mm(args);
    assert.equal(code, 0, stderr);
    assert.match(stderr, new RegExp(` ${said}( \\(|\\n)`));
  }
});

function transcripts() {
  return { "Claude Code": claude(), pi: pi(), "gemini-cli": gemini() };
}

// Answers line by line, results between them, a summary, and titles at the end.
function claude(): readonly unknown[] {
  const base = { sessionId: "5ba7", cwd: "/home/me/app" };
  const answer = (s: number, id: string, block: unknown) => ({
    ...base,
    ...at(s),
    type: "assistant",
    uuid: `a${s}`,
    message: { id, role: "assistant", content: [block] },
  });
  const user = (s: number, content: unknown, more = {}) => ({
    ...base,
    ...at(s),
    ...more,
    type: "user",
    uuid: `u${s}`,
    message: { role: "user", content },
  });
  const call = (id: string) => ({
    type: "tool_use",
    id,
    name: "Bash",
    input: { command: id },
  });
  const result = (id: string) => [
    { type: "tool_result", tool_use_id: id, content: `of ${id}` },
  ];
  return [
    user(0, "What is here?"),
    answer(1, "m1", { type: "thinking", thinking: "Hmm." }),
    answer(2, "m1", { type: "text", text: "I look." }),
    answer(3, "m1", call("t1")),
    user(4, result("t1")),
    answer(5, "m1", call("t2")),
    user(6, result("t2")),
    answer(7, "m2", { type: "text", text: "One file." }),
    { type: "ai-title", aiTitle: "Files" },
    user(8, "All that was before", { isCompactSummary: true }),
    user(9, "Thanks"),
    answer(10, "m3", call("t3")),
    answer(11, "m3", call("t4")),
    user(12, result("t4")),
    user(13, result("t3")),
    answer(14, "m4", { type: "text", text: "You are welcome." }),
    { type: "custom-title", customTitle: "Looking at files" },
  ];
}

function pi(): readonly unknown[] {
  const entry = (s: number, message: unknown) => ({
    type: "message",
    id: `e${s}`,
    parentId: s === 1 ? null : `e${s - 1}`,
    ...at(s),
    message,
  });
  const user = (said: string) => ({ role: "user", content: said });
  const call = (id: string) => ({
    type: "toolCall",
    id,
    name: "bash",
    arguments: {},
  });
  const answer = (...content: unknown[]) => ({ role: "assistant", content });
  const result = (id: string) => ({
    role: "toolResult",
    toolCallId: id,
    content: [{ type: "text", text: `of ${id}` }],
  });
  return [
    { type: "session", version: 3, id: "0195", cwd: "/home/me/pi", ...at(0) },
    entry(1, user("What is here?")),
    entry(2, answer(call("t1"), call("t2"))),
    entry(3, result("t2")),
    entry(4, result("t1")),
    entry(5, answer({ type: "text", text: "One file." })),
    { type: "session_info", id: "e6", parentId: "e5", name: "Files" },
    entry(7, user("Thanks")),
    entry(8, answer({ type: "text", text: "You are welcome." })),
  ];
}

// As lines: what a call gave is written by a later line of the same id.
function gemini(): readonly unknown[] {
  const said = (
    id: string,
    s: number,
    content: string,
    toolCalls?: unknown,
  ) => ({
    id,
    ...at(s),
    type: id.startsWith("u") ? "user" : "gemini",
    content,
    ...(toolCalls !== undefined && { toolCalls }),
  });
  const call = (id: string, status?: string) => ({
    id,
    name: "read_file",
    args: { path: id },
    status,
    result: status && [{ functionResponse: { response: { output: id } } }],
  });
  return [
    { sessionId: "5d0c", projectHash: "ff", startTime: at(0).timestamp },
    said("u1", 1, "What is here?"),
    said("g1", 2, "I look."),
    said("g1", 2, "I look.", [call("t1"), call("t2")]),
    said("g1", 2, "I look.", [call("t1"), call("t2", "success")]),
    said("g1", 2, "I look.", [call("t1", "success"), call("t2", "success")]),
    said("g2", 3, "One file."),
    { $set: { summary: "Files" } },
    said("u2", 4, "Thanks"),
    said("g3", 5, "You are welcome."),
  ];
}

function conversation(lines: readonly unknown[]) {
  const found = readConversation(
    readJson(new TextEncoder().encode(text(lines))),
    "/here",
  );
  return typeof found === "string" ? undefined : found;
}

async function put(lines: readonly unknown[], store: Store): Promise<string> {
  const { id, state, continues } = conversation(lines)!;
  await using memory = new MemoryStore();
  const { seq, updatedAt } = state;
  await memory.append(id, [{ type: "restored", seq, at: updatedAt, state }]);
  return (await copySession(id, memory, store, { continues })).status;
}

function text(lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
