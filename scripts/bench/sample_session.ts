import type { EventDraft, SessionEvent } from "../../core/event.ts";

/** A conversation of about `bytes` bytes as JSON: questions, tool calls, their outputs. */
export function sampleSession(bytes: number, seed = ""): SessionEvent[] {
  const events: SessionEvent[] = [];
  const add = (draft: EventDraft) => {
    const seq = events.length + 1;
    const at = new Date(1_789_000_000_000 + seq * 1000).toISOString();
    events.push({ ...draft, seq, at });
  };
  add({ type: "opened", cwd: "/work/app", model: "demo" });
  for (let turn = 0, size = 0; size < bytes; turn++) {
    for (const draft of sampleTurn(turn, seed)) {
      size += JSON.stringify(draft).length;
      add(draft);
    }
  }
  return events;
}

/** One turn: a question, a call that reads a file, its output, an answer. */
export function sampleTurn(turn: number, seed = ""): readonly EventDraft[] {
  const id = `${turn}`;
  return [
    message({
      role: "user",
      id: `q${id}`,
      content: `What does file ${turn} do? ${seed}`,
    }),
    message({
      role: "assistant",
      id: `c${id}`,
      content: "I will read it.",
      toolCalls: [{ id, name: "read", arguments: { path: `src/${turn}.ts` } }],
      stopReason: "tool_use",
      usage: { input: 1000, output: 20 },
    }),
    message({
      role: "tool",
      id: `t${id}`,
      toolCallId: id,
      name: "read",
      content: `${turn}\texport const value = "${seed}";\n`.repeat(60),
      status: "completed",
      approval: "auto",
    }),
    message({
      role: "assistant",
      id: `a${id}`,
      content: `It exports a value. ${seed}`.repeat(10),
      usage: { input: 3000, output: 60 },
    }),
    { type: "settled", reason: "end_turn" },
  ];
}

function message(
  message: (EventDraft & { type: "message" })["message"],
): EventDraft {
  return { type: "message", message };
}
