import type {
  SessionUpdate,
  ToolCall as AcpToolCall,
  ToolCallContent,
} from "@agentclientprotocol/sdk";
import type {
  FileDiff,
  ToolCall,
  ToolKind,
  ToolLocation,
  ToolMessage,
} from "../../../core/message.ts";
import { fenced } from "./fence.ts";

/** What is known of a call before it runs. */
export interface Announced {
  readonly call: ToolCall;
  readonly title: string;
  readonly kind: ToolKind;
  readonly locations: readonly ToolLocation[];
  readonly diffs?: readonly FileDiff[] | undefined;
}

/** A call that waits for its turn, or for an approval. */
export function pendingCall(announced: Announced): AcpToolCall {
  const { call, title, kind, locations, diffs } = announced;
  return {
    toolCallId: call.id,
    title,
    name: call.name,
    kind,
    status: "pending",
    rawInput: call.arguments,
    locations: locations.map((l) => ({ ...l })),
    content: diffContent(diffs),
  };
}

/** A call that runs, with what it has printed so far. */
export function runningCall(
  { call, diffs }: Announced,
  output?: string,
): SessionUpdate {
  return {
    sessionUpdate: "tool_call_update",
    toolCallId: call.id,
    status: "in_progress",
    ...(output && {
      content: [...diffContent(diffs), textContent(fenced(output))],
    }),
  };
}

/** How an announced call ended. A result that was made up later knows less than was announced. */
export function endedCall(
  { title, kind, locations, diffs = [] }: Announced,
  result: ToolMessage,
): SessionUpdate {
  const whole = result.title === undefined
    ? { title, kind, locations, diffs, ...result }
    : result;
  return {
    sessionUpdate: "tool_call_update",
    toolCallId: result.toolCallId,
    ...ending(whole),
  };
}

/** A call with its end, in one. */
export function wholeCall(call: ToolCall, result: ToolMessage): SessionUpdate {
  return {
    sessionUpdate: "tool_call",
    toolCallId: call.id,
    name: call.name,
    rawInput: call.arguments,
    ...ending(result),
  };
}

function ending(result: ToolMessage): Omit<AcpToolCall, "toolCallId"> {
  const { status, title, name, kind, locations, content, diffs } = result;
  return {
    title: title ?? name,
    kind: kind ?? "other",
    status: status === "completed" ? "completed" : "failed",
    locations: (locations ?? []).map((l) => ({ ...l })),
    content: [
      ...diffContent(diffs),
      // A change that was made speaks for itself.
      ...(diffs?.length && status === "completed"
        ? []
        : [textContent(shown(result))]),
    ],
    rawOutput: content,
  };
}

// Clients read Markdown; what a tool prints is none.
function shown({ kind, content }: ToolMessage): string {
  const prose = kind === "fetch" || kind === "think" || kind === "other" ||
    kind === undefined;
  return prose ? content : fenced(content);
}

function diffContent(diffs: readonly FileDiff[] = []): ToolCallContent[] {
  return diffs.map(({ path, oldText, newText }) => ({
    type: "diff",
    path,
    oldText,
    newText,
  }));
}

function textContent(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text } };
}
