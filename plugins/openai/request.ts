import { argumentsObject, blockText, imageOf } from "../../core/http/prompt.ts";
import type {
  AssistantMessage,
  Content,
  ContentBlock,
  Message,
} from "../../core/message.ts";
import type { ModelRequest, ToolSpec } from "../../core/model.ts";

/** What shapes a request besides the conversation. */
export interface RequestOptions {
  readonly temperature?: number | undefined;
  readonly maxOutput?: number | undefined;
  readonly reasoning?: string | undefined;
  /** OpenAI's own models refuse `max_tokens`. */
  readonly official: boolean;
}

/** The JSON body of a streaming chat completion. */
export function requestBody(
  model: string,
  { messages, tools }: ModelRequest,
  options: RequestOptions,
): Record<string, unknown> {
  const { temperature, maxOutput, reasoning, official } = options;
  const limit = official ? "max_completion_tokens" : "max_tokens";
  return {
    model,
    messages: wireMessages(messages),
    ...tools.length > 0 && { tools: tools.map(wireTool) },
    ...temperature !== undefined && { temperature },
    ...maxOutput !== undefined && { [limit]: maxOutput },
    ...reasoning !== undefined && { reasoning_effort: reasoning },
    stream: true,
    stream_options: { include_usage: true },
  };
}

function wireTool({ name, description, parameters }: ToolSpec) {
  return { type: "function", function: { name, description, parameters } };
}

type Part = Readonly<Record<string, unknown>>;
type WireContent = string | readonly Part[];

interface WireMessage {
  readonly role: string;
  readonly content: WireContent | null;
  readonly [more: string]: unknown;
}

/**
 * The conversation as chat templates want it: one system message, first, and
 * never two user messages in a row.
 */
export function wireMessages(messages: readonly Message[]): WireMessage[] {
  const system = messages.filter((m) => m.role === "system")
    .map((m) => m.content).filter((text) => text !== "").join("\n\n");
  const wire: WireMessage[] = system
    ? [{ role: "system", content: system }]
    : [];
  for (const message of messages.flatMap(wireMessage)) {
    const last = wire.at(-1);
    if (last?.role === "user" && message.role === "user") {
      wire[wire.length - 1] = {
        role: "user",
        content: joined(last.content, message.content),
      };
    } else {
      wire.push(message);
    }
  }
  return wire;
}

function wireMessage(message: Message): WireMessage[] {
  switch (message.role) {
    case "system":
      return [];
    case "user":
      return [{ role: "user", content: wireContent(message.content) }];
    case "assistant":
      return assistant(message);
    case "tool": {
      const { toolCallId, content } = message;
      return [{ role: "tool", tool_call_id: toolCallId, content }];
    }
  }
}

function assistant({ content, toolCalls = [] }: AssistantMessage) {
  if (content === "" && toolCalls.length === 0) return [];
  const calls = toolCalls.map((call) => ({
    id: call.id,
    type: "function",
    function: {
      name: call.name,
      arguments: JSON.stringify(argumentsObject(call.arguments)),
    },
  }));
  return [{
    role: "assistant",
    content: content === "" ? null : content,
    ...calls.length > 0 && { tool_calls: calls },
  }];
}

function wireContent(content: Content): WireContent {
  if (typeof content === "string") return content;
  const parts = content.map(part);
  // Text alone goes as a plain string: not every server takes parts.
  return parts.every((p) => p.type === "text")
    ? parts.map((p) => p.text).join("\n\n")
    : parts;
}

function part(block: ContentBlock): Part {
  const image = imageOf(block);
  if (image) {
    const url = `data:${image.mimeType};base64,${image.data}`;
    return { type: "image_url", image_url: { url } };
  }
  if (block.type === "audio") {
    const format = /mpeg|mp3/.test(block.mimeType) ? "mp3" : "wav";
    return { type: "input_audio", input_audio: { data: block.data, format } };
  }
  return { type: "text", text: blockText(block) };
}

function joined(a: WireContent | null, b: WireContent | null): WireContent {
  if (typeof a === "string" && typeof b === "string") return `${a}\n\n${b}`;
  return [...parts(a), ...parts(b)];
}

function parts(content: WireContent | null): readonly Part[] {
  if (typeof content !== "string") return content ?? [];
  return [{ type: "text", text: content }];
}
