import type { TurnReason, Update } from "../../core/event.ts";

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
      return settledCode(update.reason);
    default:
      return code;
  }
}

function settledCode(reason: TurnReason): number {
  switch (reason) {
    case "cancelled":
      return CANCELLED;
    case "failed":
    case "interrupted":
    case "max_turn_requests":
      return FAILED;
    default:
      return DONE;
  }
}
