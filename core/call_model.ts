import { context } from "./context.ts";
import { errorLine, ModelError, UserError } from "./error.ts";
import { newMessageId } from "./id.ts";
import type { Message } from "./message.ts";
import type { ModelReply, ToolSpec } from "./model.ts";
import type { Hooks } from "./plugin.ts";
import type { Session } from "./session.ts";
import { type Tool, toolSpec } from "./tool.ts";
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
  for (const hooks of kit.hooks) {
    messages = await withContext(hooks, messages, session);
  }
  signal.throwIfAborted();
  // Nothing may run in mode `none`, but APIs want the tools that the messages name.
  const offered = host.mode() !== "none" ||
    messages.some((m) => m.role === "tool");
  const tools = offered ? specsOf(host) : [];
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
  const reply = step.value;
  checkReply(reply);
  if (reply.usage) {
    const { contextWindow: size } = model;
    const used = reply.usage.input + reply.usage.output;
    record.show({ type: "usage", used, ...(size && { size }) });
  }
  return reply;
}

// One tool that cannot be offered must not fail the questions that need it not.
function specsOf({ record, tools }: TurnHost): ToolSpec[] {
  return tools().flatMap((tool) => {
    try {
      return [toolSpec(tool)];
    } catch (error) {
      if (!told.has(tool)) {
        const text = errorLine(error);
        record.show({ type: "notice", level: "warning", text });
      }
      told.add(tool);
      return [];
    }
  });
}

const told = new WeakSet<Tool>();

async function withContext(
  hooks: Hooks,
  messages: readonly Message[],
  session: Session,
): Promise<readonly Message[]> {
  try {
    return await hooks.context?.(messages, session) ?? messages;
  } catch (error) {
    const { name } = hooks;
    if (name === undefined || error instanceof UserError) throw error;
    throw new Error(`Plugin "${name}" failed: ${errorLine(error)}`, {
      cause: error,
    });
  }
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
