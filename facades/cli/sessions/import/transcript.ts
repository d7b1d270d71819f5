import type { EventDraft, SessionEvent } from "../../../../core/event.ts";
import type { SessionState } from "../../../../core/fold.ts";
import { foldAll } from "../../../../core/fold_all.ts";
import type {
  AssistantMessage,
  Content,
  ToolCall,
  ToolMessage,
} from "../../../../core/message.ts";

/** What a file of another tool holds. */
export interface Transcript {
  /** Whose file it is. */
  readonly tool: string;
  /** What the other tool calls the conversation; the same each time the file is read. */
  readonly origin: string;
  readonly state: SessionState;
  /** Those of all messages, of what was compacted too. */
  readonly ids: ReadonlySet<string>;
  /** Lines or entries that are not understood. */
  readonly unknown: number;
  /** What is known and is no part of a conversation. */
  readonly leftOut: number;
  /** Times that are none, or that no calendar of ours tells. */
  readonly untimed: number;
}

/** What a tool said, before it has the rest of a message. */
export type Result =
  & Pick<ToolMessage, "toolCallId" | "content" | "status">
  & { readonly name?: string | undefined };

/** Stands as the result of a call that had none when its turn ended, or the file did. */
export const NO_RESULT = "No result was recorded.";

/** Writes down a conversation in order, with each turn closed as a finished one. */
export class Recorder {
  readonly #events: SessionEvent[] = [];
  readonly #calls = new Map<string, ToolCall>(); // not answered yet
  #open = false;
  #title = "";
  #at = new Date(0).toISOString();
  #untimed = 0;

  constructor(cwd: string, at: unknown) {
    this.#add({ type: "opened", cwd, model: "" }, at);
    this.#add({ type: "titled", title: "" }); // its place: see `end`
  }

  /** The place of the next event. */
  get next(): number {
    return this.#events.length + 1;
  }

  /** The ids of all messages so far. */
  get ids(): ReadonlySet<string> {
    return new Set(
      this.#events.flatMap((e) => e.type === "message" ? [e.message.id] : []),
    );
  }

  /** How many times were given that are none. */
  get untimed(): number {
    return this.#untimed;
  }

  user(id: string, content: Content, at: unknown): void {
    this.#close();
    this.#add({ type: "message", message: { role: "user", id, content } }, at);
    this.#open = true;
  }

  assistant(message: Omit<AssistantMessage, "role">, at: unknown): void {
    const whole = { role: "assistant", ...message } as const;
    this.#add({ type: "message", message: whole }, at);
    for (const call of message.toolCalls ?? []) this.#calls.set(call.id, call);
    this.#open = true;
  }

  /** False when no call waits for it. */
  result({ name, ...result }: Result, at: unknown): boolean {
    const call = this.#calls.get(result.toolCallId);
    if (!call) return false;
    this.#calls.delete(call.id);
    const message = {
      role: "tool",
      id: `result-${call.id}`,
      ...result,
      name: name ?? call.name,
      approval: "auto",
    } as const;
    this.#add({ type: "message", message }, at);
    return true;
  }

  compacted(summary: string, keepFrom: number | undefined, at: unknown): void {
    this.#close();
    this.#add(
      { type: "compacted", summary, keepFrom: keepFrom ?? this.next + 1 },
      at,
    );
  }

  /** The last one counts. */
  titled(title: string): void {
    if (title.trim()) this.#title = title;
  }

  /** The conversation; undefined when nothing was said. */
  end(): SessionState | undefined {
    this.#close();
    if (!this.#events.some((e) => e.type === "message")) return undefined;
    // Second, always: what a file that grew adds comes after what was there.
    return foldAll(
      this.#events.map((event) =>
        event.type === "titled" ? { ...event, title: this.#title } : event
      ),
    );
  }

  #close(): void {
    if (!this.#open) return;
    for (const { id } of this.#calls.values()) {
      const none = { content: NO_RESULT, status: "cancelled" } as const;
      this.result({ toolCallId: id, ...none }, this.#at);
    }
    this.#add({ type: "settled", reason: "end_turn" });
    this.#open = false;
  }

  // Without a time of its own, an event has that of the one before.
  #add(draft: EventDraft, at?: unknown): void {
    const time = timeOf(at);
    if (time === undefined && at !== undefined) this.#untimed++;
    this.#at = time ?? this.#at;
    this.#events.push({ ...draft, seq: this.next, at: this.#at });
  }
}

/**
 * A time in ISO 8601, UTC; undefined when `value` is none. Microseconds taken
 * for milliseconds give a year that no id and no list can tell.
 */
export function timeOf(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const date = new Date(value);
  const year = date.getUTCFullYear(); // NaN when it is no time at all
  return year >= 0 && year <= 9999 ? date.toISOString() : undefined;
}
