import type { SessionEvent } from "../../core/event.ts";
import type { StoredMessage } from "../../core/message.ts";
import type { Database, Row } from "./database.ts";
import { isPart, PART } from "./parts.ts";
import { storedIn } from "./rows.ts";
import { messagesOf } from "./working_memory.ts";

/**
 * The first question of a session and about its `count` newest messages, read
 * by the index; without those that were withdrawn.
 */
export function recentMessages(
  db: Database,
  id: string,
  count: number,
): readonly StoredMessage[] {
  const newest = db.all(NEWEST, id, count).toReversed();
  const from = Number(newest[0]?.id ?? 0);
  const first = db.all(FIRST, id, from);
  return messagesOf([...first, ...newest].flatMap(eventsOf));
}

const TYPES =
  `('user_message', 'assistant_response', 'tool_result', 'withdrawn', 'restored', '${PART}')`;
const NEWEST =
  `SELECT id, data FROM events WHERE session_id = ? AND event_type IN ${TYPES} ORDER BY id DESC LIMIT ?`;
const FIRST =
  `SELECT id, data FROM events WHERE session_id = ? AND id < ? AND event_type IN ('user_message', 'restored') ORDER BY id LIMIT 1`;

// A damaged row is told to who reads the session.
function eventsOf({ data }: Row): readonly SessionEvent[] {
  const stored = storedIn(String(data));
  if (!stored) return [];
  return isPart(stored) ? stored.messages.map(eventOf) : [stored];
}

function eventOf({ seq, at, ...message }: StoredMessage): SessionEvent {
  return { type: "message", seq, at, message };
}
