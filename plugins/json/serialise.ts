import { storedProblem } from "../../core/check_message.ts";
import type { StoredMessage } from "../../core/message.ts";

/** The line of a message, its role first. Throws when it could not be read back. */
export function serialise(message: StoredMessage): string {
  const problem = storedProblem(message);
  if (problem) {
    throw new TypeError(`Cannot store message ${message.seq}: ${problem}`);
  }
  const { role, seq, id, at, ...rest } = message;
  try {
    return JSON.stringify({ role, seq, id, at, ...rest });
  } catch (error) {
    // Thrown for what no JSON can hold: circles, bigints, very deep nesting.
    throw new TypeError(`Cannot store message ${message.seq} as JSON`, {
      cause: error,
    });
  }
}
