import { messageProblem } from "./check_message.ts";
import type { StoredMessage } from "../../core/message.ts";

/**
 * The line of each message in its file, kept as long as the message itself:
 * messages never change, so saving costs writing and no serialising.
 */
export class Pieces {
  readonly #lines = new WeakMap<StoredMessage, Uint8Array>();
  readonly #encoder = new TextEncoder();

  /** Remembers the line a message was read from. */
  keep(message: StoredMessage, line: Uint8Array): void {
    this.#lines.set(message, line);
  }

  /** The line of a message. Throws when it could not be read back. */
  line(message: StoredMessage): Uint8Array {
    const kept = this.#lines.get(message);
    if (kept) return kept;
    const line = this.#encoder.encode(serialise(message));
    this.#lines.set(message, line);
    return line;
  }
}

function serialise(message: StoredMessage): string {
  const problem = messageProblem(message);
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
