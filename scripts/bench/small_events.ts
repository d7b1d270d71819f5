import type { SessionEvent } from "../../core/event.ts";

const at = "2026-09-16T10:15:30.000Z";

/** The first event of a session. */
export function opened(): SessionEvent {
  return { type: "opened", cwd: "/work/app", model: "demo", seq: 1, at };
}

/** A question; of about 200 characters unless told otherwise. */
export function message(
  seq: number,
  content = `Question ${seq}: ${"and what about this? ".repeat(9)}`,
): SessionEvent {
  const said = { role: "user", id: `m-${seq}`, content } as const;
  return { type: "message", message: said, seq, at };
}

/** The word number `n` of an endless talk: few are common, most are rare, as in any language. */
export function spoken(n: number): string {
  const even = ((Math.imul(n ^ 0x9e3779b9, 0x85ebca6b) >>> 0) + 1) / 2 ** 32;
  return `w${Math.floor(WORDS ** even)}`;
}

const WORDS = 20_000;
