import type { SessionEvent } from "../../core/event.ts";
import type { StoredMessage } from "../../core/message.ts";

/**
 * The newest messages of the sessions in use, in memory: at most `cap` each,
 * and always the first question among them, which says what it is all about.
 */
export class WorkingMemory {
  readonly #cap: number;
  readonly #sessions = new Map<number, Recent>();

  constructor(cap: number) {
    this.#cap = cap;
  }

  /** The messages of session `key` as of event `seq`; undefined when others are known. */
  get(key: number, seq: number): readonly StoredMessage[] | undefined {
    const recent = this.#sessions.get(key);
    return recent?.seq === seq ? recent.messages : undefined;
  }

  /** Starts with what a session holds. */
  set(key: number, seq: number, messages: readonly StoredMessage[]): void {
    this.#sessions.delete(key);
    this.#sessions.set(key, { seq, messages: this.#cut(messages) });
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) {
      this.#sessions.delete(oldest);
    }
  }

  /** Goes on with new events, if it knows those before. */
  add(key: number, events: readonly SessionEvent[]): void {
    const recent = this.#sessions.get(key);
    const [first] = events;
    if (!recent || !first || recent.seq !== first.seq - 1) return;
    this.set(
      key,
      first.seq - 1 + events.length,
      events.reduce(next, recent.messages),
    );
  }

  /** Forgets a session. */
  delete(key: number): void {
    this.#sessions.delete(key);
  }

  #cut(messages: readonly StoredMessage[]): readonly StoredMessage[] {
    if (messages.length <= this.#cap) return messages;
    const newest = messages.slice(-this.#cap);
    const anchor = messages.find((m) => m.role === "user");
    if (!anchor || newest.includes(anchor)) return newest;
    return [anchor, ...newest.slice(1)];
  }
}

interface Recent {
  readonly seq: number;
  readonly messages: readonly StoredMessage[];
}

const MAX_SESSIONS = 100;

// As the fold does, but what was compacted stays: it was said.
function next(
  messages: readonly StoredMessage[],
  event: SessionEvent,
): readonly StoredMessage[] {
  switch (event.type) {
    case "message":
      if (event.message.role === "system") return messages;
      return [...messages, { ...event.message, seq: event.seq, at: event.at }];
    case "withdrawn":
      return messages.filter((m) => m.seq < event.from);
    case "restored":
      return event.state.messages.filter((m) => m.role !== "system");
    default:
      return messages;
  }
}

/** The messages of a log, as working memory holds them. */
export function messagesOf(
  events: readonly SessionEvent[],
): readonly StoredMessage[] {
  return events.reduce(next, []);
}
