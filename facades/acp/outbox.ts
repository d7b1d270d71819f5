import type { SessionUpdate } from "@agentclientprotocol/sdk";

/**
 * Updates on their way to the client, in order. What waits for a slow reader
 * is joined where that loses nothing, so it never outgrows the conversation.
 */
export class Outbox {
  readonly #send: (update: SessionUpdate) => Promise<void>;
  #waiting: SessionUpdate[] = [];
  #sending: Promise<void> | undefined;
  #held = false;

  constructor(send: (update: SessionUpdate) => Promise<void>) {
    this.#send = send;
  }

  add(update: SessionUpdate): void {
    const last = this.#waiting.at(-1);
    const joined = last && join(last, update);
    if (joined) this.#waiting[this.#waiting.length - 1] = joined;
    else this.#waiting.push(update);
    this.#start();
  }

  /** Resolves when nothing waits any more. */
  async drained(): Promise<void> {
    while (this.#sending || this.#held) {
      await (this.#sending ?? this.#release.promise);
    }
  }

  /** Sends `updates` first; what waits is dropped, what comes meanwhile follows them. */
  async restart(updates: Iterable<SessionUpdate>): Promise<void> {
    this.#held = true;
    this.#waiting = [];
    try {
      await this.#sending;
      for (const update of updates) await this.#send(update);
    } finally {
      this.#held = false;
      this.#start();
      this.#release.resolve();
      this.#release = Promise.withResolvers<void>();
    }
  }

  #release = Promise.withResolvers<void>();

  #start(): void {
    if (this.#held || this.#waiting.length === 0) return;
    this.#sending ??= this.#run();
  }

  async #run(): Promise<void> {
    try {
      while (!this.#held) {
        const update = this.#waiting.shift();
        if (!update) break;
        await this.#send(update);
      }
    } catch {
      this.#waiting = []; // the client is gone; the connection tells
    }
    this.#sending = undefined;
    this.#start();
  }
}

/** Both in one, or undefined when something would be lost. */
function join(a: SessionUpdate, b: SessionUpdate): SessionUpdate | undefined {
  if (isText(a) && isText(b) && a.sessionUpdate === b.sessionUpdate) {
    if (a.messageId !== b.messageId) return undefined;
    const text = a.content.text + b.content.text;
    return { ...a, content: { type: "text", text } };
  }
  if (
    a.sessionUpdate === "tool_call_update" &&
    b.sessionUpdate === "tool_call_update" && a.toolCallId === b.toolCallId
  ) {
    return { ...a, ...b };
  }
  return undefined;
}

type TextChunk = SessionUpdate & {
  sessionUpdate: "agent_message_chunk" | "agent_thought_chunk";
  content: { type: "text"; text: string };
};

function isText(update: SessionUpdate): update is TextChunk {
  return (update.sessionUpdate === "agent_message_chunk" ||
    update.sessionUpdate === "agent_thought_chunk") &&
    update.content.type === "text";
}
