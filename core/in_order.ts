import { empty, type SessionState } from "./fold.ts";
import type { StoredMessage } from "./message.ts";

/**
 * The same state with its keys in one order: whatever stores it went through,
 * written as JSON it is the same to the byte. Keys that this version does not
 * know keep theirs, behind those it knows.
 */
export function inOrder(state: SessionState): SessionState {
  const { messages: _m, errors: _e, ...fields } = empty();
  const { messages, errors, open, parent, ...rest } = state;
  return {
    ...fields,
    ...(open !== undefined && { open }),
    ...(parent !== undefined && { parent }),
    ...rest,
    messages: messages.map(messageInOrder),
    errors,
  };
}

// What a message is about stays as whoever made it put it.
function messageInOrder(message: StoredMessage): StoredMessage {
  const { role, seq, id, at, ...rest } = message;
  return { role, seq, id, at, ...rest } as StoredMessage;
}
