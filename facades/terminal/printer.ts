import type { Update } from "../../core/event.ts";
import type { ReplayItem } from "../../core/replay.ts";

/** How a conversation is written off a TTY. */
export interface Printer {
  /** The session shown from now on. */
  shows(id: string): void;
  update(update: Update): void;
  replay(items: Iterable<ReplayItem>): Promise<void>;
  /** A command's answer; a report tells what a command did to the conversation. */
  say(markdown: string, kind: "answer" | "report"): void;
  /** A red line, as it is. */
  fail(line: string): void;
  /** A line that may be left out. */
  note(text: string): void;
}
