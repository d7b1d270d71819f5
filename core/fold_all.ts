import type { SessionEvent } from "./event.ts";
import { empty, fold, type SessionState } from "./fold.ts";
import type { StoredMessage } from "./message.ts";

/**
 * The same as `events.reduce(fold, state)`, in linear time: a fold copies the
 * messages for each event, which a log of 100,000 feels.
 */
export function foldAll(
  events: Iterable<SessionEvent>,
  state: SessionState = empty(),
): SessionState {
  let now = state;
  let late: StoredMessage[] = []; // folded, but not yet among the messages
  for (const event of events) {
    if (CHANGES_MESSAGES.has(event.type) || isSystem(event)) {
      now = fold(joined(now, late), event);
      late = [];
    } else {
      const next = fold({ ...now, messages: NONE }, event);
      late.push(...next.messages);
      now = { ...next, messages: now.messages };
    }
  }
  return joined(now, late);
}

const NONE: readonly StoredMessage[] = [];

// All others add to the end, at most.
const CHANGES_MESSAGES: ReadonlySet<string> = new Set([
  "withdrawn",
  "compacted",
  "restored",
]);

function isSystem(event: SessionEvent): boolean {
  return event.type === "message" && event.message.role === "system";
}

function joined(
  state: SessionState,
  late: readonly StoredMessage[],
): SessionState {
  return late.length === 0
    ? state
    : { ...state, messages: state.messages.concat(late) };
}
