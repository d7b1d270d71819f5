import { isPrompt } from "./fold.ts";
import type { StoredMessage } from "./message.ts";

/**
 * What is wrong with the places of messages in a record that stands at `last`.
 * The system prompt alone may stand out of order: it is always first.
 */
export function orderProblem(
  messages: readonly StoredMessage[],
  last: number,
): string | undefined {
  let before = -Infinity;
  for (const message of messages) {
    const { seq } = message;
    if (seq > last) return `message ${seq} is beyond the record's seq ${last}`;
    if (isPrompt(message)) continue;
    if (seq <= before) return `message ${seq} comes after message ${before}`;
    before = seq;
  }
  return undefined;
}
