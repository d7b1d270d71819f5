import type { Ack, ClientMessage, Refusal } from "../wire.ts";
import { RefusalError } from "./refusal_error.ts";

/** A message that no answer has come to. */
interface Waiting {
  message: ClientMessage;
  readonly resolve: (ack: Ack) => void;
  readonly reject: (error: RefusalError) => void;
  /** It went out on the connection there is now. */
  sent: boolean;
}

/**
 * What was sent and is not answered, in order. On a new connection all of it
 * goes out again. What is said in a session goes out one at a time, the next
 * when the record has the one before: else a message that joins the running
 * turn could overtake one that waits for its end.
 */
export class Outbox {
  readonly #waiting = new Map<string, Waiting>();

  /** Adds a message; resolves to its acknowledgement, rejects with a RefusalError. */
  add(message: ClientMessage): Promise<Ack> {
    const { promise, resolve, reject } = Promise.withResolvers<Ack>();
    this.#waiting.set(message.id, { message, resolve, reject, sent: false });
    return promise;
  }

  /** Hands what is not out yet to `send`, in order, until that says no. */
  flush(send: (message: ClientMessage) => boolean): void {
    const busy = new Set<string>(); // sessions in which something is being said
    for (const waiting of this.#waiting.values()) {
      const session = saidIn(waiting.message);
      const free = session === undefined || !busy.has(session);
      if (session !== undefined) busy.add(session);
      if (waiting.sent || !free) continue;
      waiting.sent = send(waiting.message);
      if (!waiting.sent) return;
    }
  }

  /** The connection is gone: nobody knows what of it arrived. */
  lost(): void {
    for (const waiting of this.#waiting.values()) waiting.sent = false;
  }

  /** Takes an answer in; undefined when it is to nothing that waits. */
  answer(message: Ack | Refusal): ClientMessage | undefined {
    const waiting = this.#waiting.get(message.id ?? "");
    if (!waiting) return undefined;
    this.#waiting.delete(waiting.message.id);
    if (message.type === "ack") waiting.resolve(message);
    else waiting.reject(new RefusalError(message.code, message.message));
    return waiting.message;
  }

  /** A session goes on under another id. */
  rename(from: string, to: string): void {
    for (const waiting of this.#waiting.values()) {
      const { message } = waiting;
      const there = "session" in message && message.session === from;
      if (there) waiting.message = { ...message, session: to };
    }
  }

  /** Takes a message back that did not go out, or whose answer is of no interest. */
  forget(id: string): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.reject(new RefusalError("closed", "It was taken back"));
  }

  /** Nothing in it will be answered. */
  close(message: string): void {
    for (const { reject } of this.#waiting.values()) {
      reject(new RefusalError("closed", message));
    }
    this.#waiting.clear();
  }
}

function saidIn(message: ClientMessage): string | undefined {
  return message.type === "prompt" || message.type === "steer"
    ? message.session
    : undefined;
}
