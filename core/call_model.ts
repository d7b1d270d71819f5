import { context } from "./context.ts";
import { ModelError } from "./error.ts";
import { newMessageId } from "./id.ts";
import type { Message } from "./message.ts";
import type { ModelReply } from "./model.ts";
import { toolSpec } from "./tool.ts";
import { systemPrompt, type TurnHost } from "./turn_host.ts";

/** What the model has said of a message that is not finished. */
export interface Unfinished {
  id: string;
  text: string;
  thought: string;
}

/** One call of the model on the record as it stands, shown as it comes. */
export async function callModel(
  host: TurnHost,
  unfinished: Unfinished,
  signal: AbortSignal,
): Promise<ModelReply> {
  const { record, kit, model, session } = host;
  let messages: readonly Message[] = context(
    record.state,
    systemPrompt(host),
    model.contextWindow,
  );
  for (const hook of kit.hooks) {
    messages = await hook.context?.(messages, session) ?? messages;
  }
  signal.throwIfAborted();
  // Nothing may run in mode `none`, but APIs want the tools that the messages name.
  const offered = host.mode() !== "none" ||
    messages.some((m) => m.role === "tool");
  const tools = offered ? host.tools().map(toolSpec) : [];
  Object.assign(unfinished, {
    id: newMessageId(),
    text: "",
    thought: "",
  });
  const stream = model.stream({ messages, tools }, signal);
  let step = await stream.next();
  for (; !step.done; step = await stream.next()) {
    const delta = step.value;
    switch (delta.type) {
      case "text":
        unfinished.text += delta.text;
        record.show({ ...delta, messageId: unfinished.id });
        break;
      case "thought":
        unfinished.thought += delta.text;
        record.show({ ...delta, messageId: unfinished.id });
        break;
      case "retry": {
        const seconds = Math.ceil(delta.waitMs / 1000);
        const text = `${delta.reason}: trying again in ${seconds} s`;
        record.show({ type: "notice", level: "warning", text });
        break;
      }
    }
  }
  signal.throwIfAborted();
  checkReply(step.value);
  return step.value;
}

function checkReply({ content, toolCalls, stopReason }: ModelReply): void {
  if (content.trim() || toolCalls?.length) return;
  throw new ModelError(
    "empty",
    stopReason === "max_tokens"
      ? "The answer is empty: the model reached its output limit before saying anything (raise maxOutput)"
      : "The answer is empty: the model said nothing and called no tool",
  );
}
