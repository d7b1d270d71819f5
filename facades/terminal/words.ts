import type { AgentHandle, SessionHandle } from "../../core/handle.ts";
import { errorsMark } from "../../core/summary_line.ts";

/** What to do where there is nothing to go back to. */
export const FIRST_STEP = "/help lists commands and keys";

/** What is told of an answer that the user stopped: when it happens, and when it is shown again. */
export const CANCELLED = "Cancelled";

/** What is taken back by a cancel that came before the first word. */
export const TAKEN_BACK =
  "Cancelled before there was an answer: the question is not kept, Up brings it back";

/** The keys that matter, for /help; docs/terminal.md has them all. */
export const KEYS = [
  "Keys:\n",
  "- `Enter`: Ask; while a turn runs, add to it",
  "- `Shift-Enter`, or `\\` before Enter: A new line",
  "- `Tab`: Complete a command or an `@path`",
  "- `Up`: Earlier questions",
  "- `Esc`: Cancel the turn; what it produced is kept",
  "- `Ctrl-D`: Leave; the conversation is kept",
].join("\n");

/** How to find earlier conversations; undefined when there are none. */
export async function earlierLine(
  agent: AgentHandle,
  except: string,
): Promise<string | undefined> {
  const page = await agent.list({ limit: 100 });
  const n = page.items.filter((s) => s.id !== except).length;
  if (n === 0) return undefined;
  const count = page.next ? `more than ${n}` : String(n);
  const noun = n === 1 ? "conversation" : "conversations";
  return `${count} earlier ${noun}: /sessions to list, /resume to continue the latest`;
}

/** The report of a session that was shown from the start (`--session`). */
export function resumedLine({ state }: SessionHandle): string {
  const { title, turns, errors } = state;
  const noun = turns === 1 ? "turn" : "turns";
  return `Resumed "${title}" · ${turns} ${noun}${errorsMark(errors.length)}`;
}

/** How to come back; undefined when nothing was kept. */
export function farewell(
  { id, state }: SessionHandle,
  comeBack = "mm --session",
): string | undefined {
  return state.messages.length > 0 || state.errors.length > 0
    ? `To continue: ${comeBack} ${id}`
    : undefined;
}
