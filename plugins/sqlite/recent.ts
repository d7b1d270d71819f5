import type { SessionEvent } from "../../core/event.ts";
import type { StoredMessage } from "../../core/message.ts";
import type { Database, Row } from "./database.ts";
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
  return messagesOf([...first, ...newest].flatMap(eventOf));
}

const TYPES =
  "('user_message', 'assistant_response', 'tool_result', 'withdrawn', 'restored')";
const NEWEST =
  `SELECT id, data FROM events WHERE session_id = ? AND event_type IN ${TYPES} ORDER BY id DESC LIMIT ?`;
const FIRST =
  `SELECT id, data FROM events WHERE session_id = ? AND id < ? AND event_type IN ('user_message', 'restored') ORDER BY id LIMIT 1`;

// A damaged row is told to who reads the session.
function eventOf({ data }: Row): readonly SessionEvent[] {
  try {
    return [JSON.parse(String(data))];
  } catch {
    return [];
  }
}
