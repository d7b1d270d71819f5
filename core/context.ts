import type {
  AssistantMessage,
  Message,
  StoredMessage,
  SystemMessage,
  ToolMessage,
  UserMessage,
} from "./message.ts";
import { contentText } from "./message.ts";
import type { SessionState } from "./fold.ts";

/** Characters a token stands for, when nobody counted. */
const CHARS_PER_TOKEN = 4;

/** Share of the window that one tool result may fill. */
const RESULT_SHARE = 0.3;

/**
 * What the model reads: today's system prompt, then the conversation in an
 * order its API accepts. Every call has its result right behind it, user
 * messages that arrived meanwhile (steer) come after, a summary is a user
 * message, and a tool result larger than the window's share is cut here and
 * whole in the record.
 */
export function context(
  state: SessionState,
  system: string,
  window?: number,
): Message[] {
  const prompt: SystemMessage = {
    role: "system",
    id: "system",
    content: system,
  };
  return [prompt, ...fit(ordered(state.messages), window)];
}

function ordered(messages: readonly StoredMessage[]): Message[] {
  const results = new Map<string, ToolMessage>();
  for (const m of messages) if (m.role === "tool") results.set(m.toolCallId, m);
  const late = lateMessages(messages);
  const delayed = new Set([...late.values()].flat());
  const out: Message[] = [];
  for (const message of messages) {
    switch (message.role) {
      case "system":
        if (message.summary) out.push(asUser(message));
        break;
      case "user":
        if (!delayed.has(message)) out.push(message);
        break;
      case "assistant":
        out.push(...withResults(message, results), ...late.get(message) ?? []);
        break;
      case "tool":
        // Stands behind its call, so a steer that came before it follows it.
        break;
    }
  }
  return out;
}

/** The user messages that arrived while an answer was under way, which it could not heed. */
function lateMessages(
  messages: readonly StoredMessage[],
): Map<StoredMessage, StoredMessage[]> {
  const late = new Map<StoredMessage, StoredMessage[]>();
  let before = 0; // `seq` of the answer before: what it answered is not late for the next
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    const { seq } = message;
    if (message.saw !== undefined) {
      const saw = Math.max(before, message.saw);
      late.set(
        message,
        messages.filter((m) => m.role === "user" && m.seq > saw && m.seq < seq),
      );
    }
    before = seq;
  }
  return late;
}

function withResults(
  message: AssistantMessage,
  results: ReadonlyMap<string, ToolMessage>,
): Message[] {
  const { content, toolCalls = [] } = message;
  if (!content && toolCalls.length === 0) return [];
  return [
    message,
    ...toolCalls.map((call) =>
      results.get(call.id) ?? missing(call.id, call.name)
    ),
  ];
}

function asUser(summary: SystemMessage): UserMessage {
  return {
    role: "user",
    id: summary.id,
    content: `Summary of our conversation so far:\n\n${summary.content}`,
  };
}

function missing(toolCallId: string, name: string): ToolMessage {
  return {
    role: "tool",
    id: `missing-${toolCallId}`,
    toolCallId,
    name,
    content: "No result was recorded",
    status: "failed",
    approval: "auto",
  };
}

function fit(messages: readonly Message[], window = Infinity): Message[] {
  const max = Math.floor(window * RESULT_SHARE * CHARS_PER_TOKEN);
  return messages.map((m) =>
    m.role === "tool" && m.content.length > max
      ? { ...m, content: cutMiddle(m.content, max) }
      : m
  );
}

/** `text` with its middle left out, so that about `max` characters remain. */
export function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = Math.floor(max * 0.6);
  const tail = Math.floor(max * 0.3);
  const left = text.length - head - tail;
  // Cutting may halve a surrogate pair.
  return `${text.slice(0, head)}\n[… ${left} characters left out …]\n${
    text.slice(text.length - tail)
  }`.toWellFormed();
}

/** A guess at the tokens of `messages`. */
export function estimateTokens(messages: readonly Message[]): number {
  return Math.ceil(
    messages.reduce((n, m) => n + chars(m), 0) /
      CHARS_PER_TOKEN,
  );
}

// 16 per message for its frame; a picture costs some thousand tokens whatever its size.
function chars(message: Message): number {
  switch (message.role) {
    case "user":
      return 16 +
        (typeof message.content === "string"
          ? message.content.length
          : message.content.reduce(
            (n, b) =>
              n + (b.type === "image" || b.type === "audio"
                ? 1500 * CHARS_PER_TOKEN
                : contentText([b]).length),
            0,
          ));
    case "assistant":
      return 16 + message.content.length +
        (message.toolCalls
          ? JSON.stringify(message.toolCalls.map((c) => c.arguments)).length +
            40 * message.toolCalls.length
          : 0);
    default:
      return 16 + message.content.length;
  }
}

/**
 * Tokens the next request will take: the server's own count up to its last
 * answer where there is one, plus a guess at what came since.
 */
export function contextSize(
  state: SessionState,
  system: string,
  window?: number,
): number {
  const { messages, contextTokens } = state;
  const last = messages.findLastIndex((m) =>
    m.role === "assistant" && m.usage !== undefined
  );
  if (contextTokens > 0 && last >= 0) {
    return contextTokens +
      estimateTokens(fit(messages.slice(last + 1), window));
  }
  return estimateTokens(context(state, system, window));
}
