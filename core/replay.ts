import type { SessionState } from "./fold.ts";
import type {
  AssistantMessage,
  Content,
  StoredMessage,
  ToolCall,
  ToolMessage,
} from "./message.ts";

/** One thing to show again. A tool call is always a finished one. */
export type ReplayItem = Readonly<
  | { type: "omitted" }
  | { type: "summary"; id: string; text: string }
  | { type: "user"; id: string; content: Content }
  | { type: "thought"; id: string; text: string }
  /** `cancelled`: the user stopped it, so it ends where it does. */
  | { type: "assistant"; id: string; text: string; cancelled?: true }
  | { type: "tool"; call: ToolCall; result: ToolMessage }
>;

/**
 * Yields a conversation as records, the same for every store and facade. It
 * cannot run anything, and it cannot show errors: it reads `messages` alone.
 */
export function* replay(state: SessionState): Generator<ReplayItem> {
  if (state.truncated) yield { type: "omitted" };
  const results = resultsById(state.messages);
  for (const message of state.messages) {
    // A call of the running turn has yet to end: it is shown when it does.
    const running = state.open !== undefined && message.seq > state.open;
    yield* items(message, results, running);
  }
}

function* items(
  message: StoredMessage,
  results: ReadonlyMap<string, ToolMessage>,
  running: boolean,
): Generator<ReplayItem> {
  const { id } = message;
  switch (message.role) {
    case "system":
      if (message.summary) yield { type: "summary", id, text: message.content };
      return;
    case "user":
      yield { type: "user", id, content: message.content };
      return;
    case "assistant":
      yield* answerItems(message, results, running);
      return;
    case "tool":
      // Shown with its call; a call that pruning dropped leaves an orphan, shown alone.
      if (!results.has(message.toolCallId)) yield orphan(message);
  }
}

function* answerItems(
  message: AssistantMessage,
  results: ReadonlyMap<string, ToolMessage>,
  running: boolean,
): Generator<ReplayItem> {
  const { id, thought, content, stopReason, toolCalls = [] } = message;
  const cancelled = stopReason === "cancelled" && { cancelled: true } as const;
  if (thought) yield { type: "thought", id, text: thought };
  if (content) yield { type: "assistant", id, text: content, ...cancelled };
  for (const call of toolCalls) {
    const result = results.get(call.id);
    if (!result && running) continue;
    yield { type: "tool", call, result: result ?? unfinished(call) };
  }
}

function resultsById(
  messages: readonly StoredMessage[],
): ReadonlyMap<string, ToolMessage> {
  const calls = new Set(
    messages.flatMap((m) =>
      m.role === "assistant" ? m.toolCalls?.map((c) => c.id) ?? [] : []
    ),
  );
  return new Map(
    messages.flatMap((m) =>
      m.role === "tool" && calls.has(m.toolCallId) ? [[m.toolCallId, m]] : []
    ),
  );
}

function orphan(result: ToolMessage): ReplayItem {
  const { toolCallId: id, name } = result;
  return { type: "tool", call: { id, name, arguments: {} }, result };
}

function unfinished(call: ToolCall): ToolMessage {
  return {
    role: "tool",
    id: `unfinished-${call.id}`,
    toolCallId: call.id,
    name: call.name,
    content: "No result was recorded",
    status: "failed",
    approval: "auto",
  };
}
