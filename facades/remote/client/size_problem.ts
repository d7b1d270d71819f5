import { type ClientMessage, MAX_MESSAGE } from "../wire.ts";

/**
 * Why a message is too long to be sent; undefined when it is not. The server
 * would cut the connection, and get it again on the next one.
 */
export function sizeProblem(message: ClientMessage): string | undefined {
  const text = JSON.stringify(message);
  if (3 * text.length <= MAX_MESSAGE) return undefined;
  if (new TextEncoder().encode(text).length <= MAX_MESSAGE) return undefined;
  return `Cannot send it: a message has ${MAX_MESSAGE} bytes at most`;
}
