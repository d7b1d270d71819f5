import { cutMiddle } from "./context.ts";
import type { SessionState } from "./fold.ts";
import { contentText, firstLine } from "./message.ts";
import type { Model } from "./model.ts";
import PROMPT from "./prompts/title.txt" with { type: "text" };

/** Longest title a model may give, in UTF-16 units. */
const MAX = 60;

/** The title a conversation has of its own: its first question. */
export function questionTitle({ messages }: SessionState): string {
  const asked = messages.find((m) => m.role === "user");
  return asked ? firstLine(contentText(asked.content)) : "";
}

/** Has the model name the conversation by its first turn; empty when it gives no name. */
export async function makeTitle(
  { messages }: SessionState,
  model: Model,
  signal: AbortSignal,
): Promise<string> {
  const said = messages.flatMap((m) =>
    m.role === "user"
      ? [`User: ${cutMiddle(contentText(m.content), 1500)}`]
      : m.role === "assistant" && m.content
      ? [`Assistant: ${cutMiddle(m.content, 1500)}`]
      : []
  );
  const stream = model.stream({
    messages: [
      { role: "system", id: "system", content: PROMPT.trim() },
      { role: "user", id: "talk", content: said.slice(0, 4).join("\n\n") },
    ],
    tools: [],
  }, signal);
  let step = await stream.next();
  while (!step.done) step = await stream.next();
  return cleaned(step.value.content);
}

// Small models quote, prefix and explain.
function cleaned(text: string): string {
  const line = firstLine(text, 200).replace(/^(?:title|titre)\s*:\s*/i, "");
  return firstLine(
    line.replace(/^["'`«*#\s]+|["'`»*.\s]+$/g, ""),
    MAX,
  );
}
