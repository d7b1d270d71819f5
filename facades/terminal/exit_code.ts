import type { Update } from "../../core/event.ts";

/** Exit codes of a conversation: that of its last turn. */
export const DONE = 0;
export const FAILED = 1;
export const CANCELLED = 130;

/** The code once `update` has happened; `code` was it before. */
export function exitCode(code: number, update: Update): number {
  switch (update.type) {
    case "failed":
      return FAILED;
    case "withdrawn":
      return CANCELLED; // a failure says so in the event that follows
    case "settled":
      if (update.reason === "failed") return FAILED;
      return update.reason === "cancelled" ? CANCELLED : DONE;
    default:
      return code;
  }
}
