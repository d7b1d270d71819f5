import type { SessionEvent } from "../../core/event.ts";

const at = "2026-09-16T10:15:30.000Z";

/** The first event of a session. */
export function opened(): SessionEvent {
  return { type: "opened", cwd: "/work/app", model: "demo", seq: 1, at };
}

/** A question of about 200 characters. */
export function message(seq: number): SessionEvent {
  const content = `Question ${seq}: ${"and what about this? ".repeat(9)}`;
  const said = { role: "user", id: `m-${seq}`, content } as const;
  return { type: "message", message: said, seq, at };
}
