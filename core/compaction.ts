import type { Message, StoredMessage } from "./message.ts";
import { contentText } from "./message.ts";
import type { Model } from "./model.ts";
import { cutMiddle } from "./context.ts";
import { isPrompt } from "./fold.ts";
import PROMPT from "./prompts/compact.txt" with { type: "text" };

/** What a compactor is asked. */
export interface CompactionRequest {
  /** The conversation, system prompt left out, an earlier summary first. */
  readonly messages: readonly StoredMessage[];
  /** Whole turns to keep as they are; at least 1. */
  readonly keepTurns: number;
  /** `seq` of the question being answered: its turn is kept whole. */
  readonly open?: number;
  /** What the user wants kept, in their words. */
  readonly focus?: string;
  /** The model of the session. */
  readonly model: Model;
}

/** What stands in place of the old turns, and the `seq` of the first message kept. */
export interface Compaction {
  /** What the model reads instead of the old turns. */
  readonly summary: string;
  /** `seq` of the first message kept. */
  readonly keepFrom: number;
}

/** Shortens a conversation. It knows nothing of persistence. */
export interface Compactor {
  /** As in agent.yaml. */
  readonly name: string;
  /** Undefined when there is nothing old enough to shorten. */
  compact(
    request: CompactionRequest,
    signal: AbortSignal,
  ): Promise<Compaction | undefined>;
}

/** Has the model write a summary of the old turns. The default. */
export const summarizer: Compactor = {
  name: "summary",
  async compact(request, signal) {
    const keepFrom = boundary(request);
    if (keepFrom === undefined) return undefined;
    const old = request.messages.filter((m) => m.seq < keepFrom);
    return { summary: await summarize(old, request, signal), keepFrom };
  },
};

/**
 * `seq` of the first message of the last `keepTurns` turns, so that no tool
 * result is ever parted from its call and the running turn is kept whole;
 * fewer turns are kept when there are not more. Undefined when there is one
 * turn alone.
 */
export function boundary(
  { messages, keepTurns, open = Infinity }: Pick<
    CompactionRequest,
    "messages" | "keepTurns" | "open"
  >,
): number | undefined {
  const starts = turnStarts(messages).filter((seq) => seq <= open);
  const keep = Math.min(Math.max(1, keepTurns), starts.length - 1);
  return keep < 1 ? undefined : starts.at(-keep);
}

/** `seq` of each message that starts a turn: a user's, when no call is open. */
function turnStarts(messages: readonly StoredMessage[]): number[] {
  const open = new Set<string>();
  const starts: number[] = [];
  let answered = true; // right behind another user message stands a steer of the same turn
  for (const message of messages) {
    if (message.role === "assistant") {
      message.toolCalls?.forEach((call) => open.add(call.id));
      answered = true;
    }
    if (message.role === "tool") open.delete(message.toolCallId);
    if (message.role === "user" && open.size === 0 && answered) {
      starts.push(message.seq);
      answered = false;
    }
  }
  return starts;
}

async function summarize(
  old: readonly StoredMessage[],
  { model, focus }: CompactionRequest,
  signal: AbortSignal,
): Promise<string> {
  const max = (model.contextWindow ?? 32_000) * 2; // characters: half the window
  const wish = focus ? `\n\nKeep above all: ${focus}` : "";
  const messages: Message[] = [
    { role: "system", id: "system", content: PROMPT.trim() },
    {
      role: "user",
      id: "transcript",
      content: `<transcript>\n${
        cutMiddle(transcript(old), max)
      }\n</transcript>\n\nWrite the summary of this conversation now.${wish}`,
    },
  ];
  const stream = model.stream({ messages, tools: [] }, signal);
  let step = await stream.next();
  while (!step.done) step = await stream.next();
  const summary = step.value.content.trim();
  if (!summary) throw new Error("the summary came back empty");
  return summary;
}

/** The conversation as plain text, long tool results cut. */
function transcript(messages: readonly StoredMessage[]): string {
  return messages.filter((m) => !isPrompt(m)).map(entry).join("\n\n");
}

function entry(message: StoredMessage): string {
  switch (message.role) {
    case "system":
      return `Summary of what came before: ${message.content}`;
    case "user":
      return `User: ${contentText(message.content)}`;
    case "assistant": {
      const calls = (message.toolCalls ?? []).map((c) =>
        `\nCalled ${c.name} ${
          cutMiddle(JSON.stringify(c.arguments) ?? "", 1000)
        }`
      );
      return `Assistant: ${message.content}${calls.join("")}`;
    }
    case "tool":
      return `Result of ${message.name} (${message.status}): ${
        cutMiddle(message.content, 2000)
      }`;
  }
}
