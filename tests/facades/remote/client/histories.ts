import fc from "fast-check";
import type { EventDraft, Live, Update } from "../../../../core/event.ts";
import type { Message } from "../../../../core/message.ts";

/** Something that happens in a session: what it says depends on what was before. */
export type Happening = (teller: Teller) => void;

/** Gives what happens its place, as a record does. */
export class Teller {
  seq = 0;
  calls = 0;
  readonly tell: (update: Update) => void;

  constructor(tell: (update: Update) => void) {
    this.tell = tell;
  }

  record(draft: EventDraft): number {
    const at = new Date(1e12 + 1000 * this.seq).toISOString();
    const seq = ++this.seq;
    this.tell({ at, ...draft, seq } as Update);
    return seq;
  }

  live(live: Live): void {
    this.tell(live);
  }

  message(message: Nameless<Message>): number {
    const id = `m-${this.seq + 1}`;
    return this.record({
      type: "message",
      message: { id, ...message } as Message,
    });
  }
}

type Nameless<M> = M extends Message ? Omit<M, "id"> : never;

/** A turn with all that may happen in it. Each step may be the last one that is seen. */
export const happenings: fc.Arbitrary<Happening> = fc.oneof(
  { arbitrary: fc.string({ maxLength: 30 }).map(answered), weight: 3 },
  fc.constantFrom(90_000, 300_000).map((n) => answered("…".repeat(n / 3))),
  fc.constant<Happening>((t) =>
    t.message({ role: "system", content: `Be ${t.seq}` })
  ),
  { arbitrary: fc.nat(3).map(usedTools), weight: 3 },
  fc.constant(withdrawn),
  fc.constant(unanswered),
  fc.string({ maxLength: 20 }).map((title): Happening => (t) =>
    t.record({ type: "titled", title })
  ),
  fc.nat(10).map((back): Happening => (t) =>
    t.record({
      type: "compacted",
      summary: "What was said",
      keepFrom: Math.max(1, t.seq - back),
    })
  ),
  fc.constant<Happening>((t) =>
    t.live({ type: "notice", level: "warning", text: "Mind the gap" })
  ),
  fc.constant<Happening>((t) =>
    t.record({ type: "from the future", what: [1] } as unknown as EventDraft)
  ),
  fc.constant<Happening>((t) =>
    t.live({ type: "also from the future" } as unknown as Live)
  ),
);

function answered(text: string): Happening {
  return (t) => {
    t.message({ role: "user", content: `What of ${text}?` });
    t.live({ type: "running", running: true });
    const messageId = `m-${t.seq + 1}`;
    for (const part of text.split(/(?<= )/)) {
      t.live({ type: "text", messageId, text: part });
    }
    t.message({
      role: "assistant",
      content: text,
      usage: { input: 3, output: 2 },
    });
    t.record({ type: "settled", reason: "end_turn" });
    t.live({ type: "running", running: false });
  };
}

// A turn that goes on: an open approval, a running call, a steer, half an answer.
function usedTools(how: number): Happening {
  return (t) => {
    t.message({ role: "user", content: "Do it" });
    t.live({ type: "running", running: true });
    const id = `call-${++t.calls}`;
    const call = { id, name: "shell", arguments: { command: "ls" } };
    t.message({
      role: "assistant",
      content: "I shall. ",
      toolCalls: [call],
    });
    const shown = { title: "Run ls", kind: "execute", locations: [] } as const;
    t.live({ type: "tool_started", call, ...shown });
    const request = { ...shown, id: `ask-${id}`, call, diffs: [], reason: "" };
    t.live({ type: "approval_asked", request });
    if (how === 0) return;
    const decision = { outcome: "allow_once" } as const;
    t.live({ type: "approval_settled", requestId: request.id, decision });
    t.live({ type: "tool_running", toolCallId: id });
    t.live({ type: "tool_output", toolCallId: id, text: "a\n" });
    t.message({ role: "user", content: "And hurry" });
    if (how === 1) return;
    t.message({
      role: "tool",
      toolCallId: id,
      name: "shell",
      content: "a\nb\n",
      status: "completed",
      approval: "allowed",
    });
    t.live({ type: "thought", messageId: `m-${t.seq + 1}`, text: "Hm. " });
    t.live({ type: "text", messageId: `m-${t.seq + 1}`, text: "There is " });
    if (how === 2) return;
    t.message({ role: "assistant", content: "There is a." });
    t.record({ type: "settled", reason: "end_turn" });
    t.live({ type: "running", running: false });
  };
}

function withdrawn(t: Teller): void {
  const from = t.message({ role: "user", content: "Never mind" });
  t.live({ type: "running", running: true });
  t.record({ type: "withdrawn", from });
  t.record({
    type: "failed",
    kind: "generation",
    turns: 0,
    question: "Never mind",
    line: "Cannot reach the server",
  });
  t.live({ type: "running", running: false });
}

function unanswered(t: Teller): void {
  t.live({ type: "running", running: true });
  t.live({ type: "text", messageId: `m-${t.seq + 9}`, text: "Well, " });
}
