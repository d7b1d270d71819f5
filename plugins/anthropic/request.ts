import { argumentsObject, blockText, imageOf } from "../../core/http/prompt.ts";
import type { AssistantMessage, Content, Message } from "../../core/message.ts";
import type { ModelRequest, ToolSpec } from "../../core/model.ts";
import { type Block, signedThinking } from "./thinking.ts";

/** What shapes a request besides the conversation. */
export interface RequestOptions {
  readonly temperature?: number | undefined;
  readonly maxOutput: number;
  /** Tokens the model may think, on top of `maxOutput`. */
  readonly thinking?: number | undefined;
}

interface WireMessage {
  readonly role: "user" | "assistant";
  readonly content: readonly Block[];
}

/** The JSON body of a streaming Messages request. */
export function requestBody(
  model: string,
  { messages, tools }: ModelRequest,
  options: RequestOptions,
): Record<string, unknown> {
  const thinking = mayThink(model, messages) ? options.thinking : undefined;
  const { temperature, maxOutput } = options;
  const system = messages.filter((m) => m.role === "system")
    .map((m) => m.content).filter((text) => text !== "").join("\n\n");
  return {
    model,
    max_tokens: maxOutput + (thinking ?? 0),
    ...system && { system: [cached({ type: "text", text: system })] },
    messages: cachedLast(
      wireMessages(messages, thinking === undefined ? undefined : model),
    ),
    ...tools.length > 0 && { tools: tools.map(wireTool) },
    ...thinking === undefined
      ? temperature !== undefined && { temperature }
      : { thinking: { type: "enabled", budget_tokens: thinking } },
    stream: true,
  };
}

/**
 * The conversation in strict turns, the user first. Tool results stand before
 * anything else the user says. `thinkingOf` names the model whose signed
 * thinking is sent back; undefined leaves thinking out.
 */
export function wireMessages(
  messages: readonly Message[],
  thinkingOf?: string,
): WireMessage[] {
  const wire: WireMessage[] = [];
  for (const message of messages) {
    const next = wireMessage(message, thinkingOf);
    if (!next || next.content.length === 0) continue;
    const last = wire.at(-1);
    if (last?.role === next.role) {
      const content = resultsFirst([...last.content, ...next.content]);
      wire[wire.length - 1] = { role: next.role, content };
    } else {
      wire.push(next);
    }
  }
  if (wire[0]?.role === "assistant") {
    const text = "(The beginning of this conversation is missing.)";
    wire.unshift({ role: "user", content: [{ type: "text", text }] });
  }
  return wire;
}

function wireTool({ name, description, parameters }: ToolSpec): Block {
  return { name, description, input_schema: parameters };
}

function wireMessage(
  message: Message,
  thinkingOf: string | undefined,
): WireMessage | undefined {
  switch (message.role) {
    case "system":
      return undefined;
    case "user":
      return { role: "user", content: userBlocks(message.content) };
    case "assistant":
      return {
        role: "assistant",
        content: [
          ...signedThinking(message, thinkingOf),
          ...assistantBlocks(message),
        ],
      };
    case "tool":
      return {
        role: "user",
        content: [{
          type: "tool_result",
          tool_use_id: wireId(message.toolCallId),
          content: message.content,
          ...message.status !== "completed" && { is_error: true },
        }],
      };
  }
}

function assistantBlocks({ content, toolCalls = [] }: AssistantMessage) {
  // The API refuses text that is blank, or ends in blanks as the last word.
  const text = content.trimEnd();
  return [
    ...text === "" ? [] : [{ type: "text", text }],
    ...toolCalls.map((call) => ({
      type: "tool_use",
      id: wireId(call.id),
      name: call.name,
      input: argumentsObject(call.arguments),
    })),
  ];
}

function userBlocks(content: Content): Block[] {
  const blocks = typeof content === "string"
    ? [{ type: "text", text: content } as const]
    : content;
  return blocks.map((block): Block => {
    const image = imageOf(block);
    return image
      ? {
        type: "image",
        source: {
          type: "base64",
          media_type: image.mimeType,
          data: image.data,
        },
      }
      : { type: "text", text: blockText(block) };
  }).filter((block) => block.type !== "text" || String(block.text).trim());
}

// Ids of other servers may hold characters this API refuses.
function wireId(id: string): string {
  return id.replaceAll(/[^\w-]/g, "_") || "_";
}

function resultsFirst(blocks: readonly Block[]): readonly Block[] {
  const isResult = (block: Block) => block.type === "tool_result";
  return [
    ...blocks.filter(isResult),
    ...blocks.filter((block) => !isResult(block)),
  ];
}

// In a turn under way the API wants the thinking that led to the calls; calls
// of another model have none, so the turn goes on without thinking.
function mayThink(model: string, messages: readonly Message[]): boolean {
  const last = messages.findLast((m) => m.role !== "tool");
  if (last?.role !== "assistant") return true;
  return signedThinking(last, model).length > 0;
}

function cached(block: Block): Block {
  return { ...block, cache_control: { type: "ephemeral" } };
}

function cachedLast(messages: readonly WireMessage[]): WireMessage[] {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  if (!last || !block) return [...messages];
  const content = [...last.content.slice(0, -1), cached(block)];
  return [...messages.slice(0, -1), { ...last, content }];
}
