import type {
  ContentBlock,
  ToolCall,
  Usage,
} from "../../../../core/message.ts";
import {
  Recorder,
  type Result,
  timeOf,
  type Transcript,
} from "./transcript.ts";
import { count, type Fields, fields, items, text, usage } from "./values.ts";

/** Tells the lines of a Claude Code transcript. */
export function isClaude(lines: readonly (Fields | undefined)[]): boolean {
  return lines.some((line) =>
    typeof line?.sessionId === "string" &&
    (line.type === "user" || line.type === "assistant") &&
    typeof line.message === "object"
  );
}

/** Reads a Claude Code transcript: one line for each block of an answer. Subagents are left out. */
export function readClaude(
  lines: readonly (Fields | undefined)[],
  cwd: string,
): Omit<Transcript, "tool"> | undefined {
  const talk = lines.filter(isTalk);
  const first = talk.find((line) => timeOf(line.timestamp)) ?? {};
  const recorder = new Recorder(text(first.cwd) || cwd, first.timestamp);
  let lost = 0;
  for (const [id, group] of grouped(talk)) {
    lost += record(recorder, id, group);
  }
  for (const line of lines) {
    recorder.titled(text(line?.customTitle ?? line?.aiTitle ?? line?.summary));
  }
  const unknown = lines.filter((l) => !l || !KNOWN.has(l.type)).length + lost;
  const leftOut = lines.length - talk.length - unknown + lost;
  const state = recorder.end();
  const { ids, untimed } = recorder;
  const origin = text(first.sessionId);
  return state && { origin, state, ids, unknown, leftOut, untimed };
}

// All lines of one answer together, where its first one stands.
function grouped(talk: readonly Fields[]): ReadonlyMap<string, Fields[]> {
  const groups = new Map<string, Fields[]>();
  for (const [i, line] of talk.entries()) {
    const id = text(fields(line.message).id);
    const key = line.type === "assistant" && id
      ? id
      : text(line.uuid) || `${i}`;
    const group = groups.get(key);
    if (group) group.push(line);
    else groups.set(key, [line]);
  }
  return groups;
}

// Gives how many entries found no place.
function record(recorder: Recorder, id: string, group: Fields[]): number {
  const [first = {}] = group;
  const at = first.timestamp;
  const blocks = group.flatMap((line) =>
    blocksOf(fields(line.message).content)
  );
  if (first.type === "assistant") {
    const last = fields(group.at(-1)?.message);
    const thought = joined(blocks, "thinking", "\n\n");
    const toolCalls = blocks.filter((b) => b.type === "tool_use").map(callOf);
    const spent = usageOf(fields(last.usage));
    recorder.assistant({
      id,
      content: joined(blocks, "text", "\n"),
      ...(thought && { thought }),
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(text(last.model) && { model: text(last.model) }),
      ...(spent && { usage: spent }),
      stopReason: toolCalls.length > 0 ? "tool_use" : "end_turn",
    }, at);
    return 0;
  }
  const results = blocks.filter((b) => b.type === "tool_result");
  const lost = results.filter((b) => !recorder.result(resultOf(b), at)).length;
  if (first.isCompactSummary === true) {
    recorder.compacted(joined(blocks, "text", "\n"), undefined, at);
    return lost;
  }
  const said = blocks.flatMap(contentOf);
  const [only] = said;
  if (said.length === 1 && only?.type === "text") {
    recorder.user(id, only.text, at);
  } else if (said.length > 0) recorder.user(id, said, at);
  return lost;
}

function isTalk(line: Fields | undefined): line is Fields {
  if (line?.type !== "user" && line?.type !== "assistant") return false;
  if (line.isSidechain === true || line.isMeta === true) return false;
  const { content } = fields(line.message);
  // What the tool's own commands left.
  return !/^<(command-name|local-command-|command-message)/.test(text(content));
}

function blocksOf(content: unknown): readonly Fields[] {
  return typeof content === "string"
    ? [{ type: "text", text: content }]
    : items(content).map(fields);
}

function joined(blocks: readonly Fields[], type: string, by: string): string {
  return blocks.filter((b) => b.type === type).map((b) => text(b[type]))
    .filter(Boolean).join(by);
}

function callOf({ id, name, input }: Fields): ToolCall {
  return { id: text(id), name: text(name), arguments: input ?? {} };
}

function resultOf({ tool_use_id, content, is_error }: Fields): Result {
  return {
    toolCallId: text(tool_use_id),
    content: blocksOf(content).map((b) =>
      b.type === "text" ? text(b.text) : `[${text(b.type)}]`
    ).join("\n"),
    status: is_error === true ? "failed" : "completed",
  };
}

function contentOf(block: Fields): readonly ContentBlock[] {
  if (block.type === "text") return [{ type: "text", text: text(block.text) }];
  const { data, media_type } = fields(block.source);
  return block.type === "image" && typeof data === "string"
    ? [{ type: "image", data, mimeType: text(media_type) }]
    : [];
}

function usageOf(u: Fields): Usage | undefined {
  const cached = count(u.cache_read_input_tokens);
  const read = count(u.input_tokens) + count(u.cache_creation_input_tokens);
  return usage(read + cached, count(u.output_tokens), cached);
}

const KNOWN: ReadonlySet<unknown> = new Set([
  "user",
  "assistant",
  "system",
  "summary",
  "custom-title",
  "ai-title",
  "last-prompt",
  "file-history-snapshot",
  "queue-operation",
  "progress",
  "attachment",
  "pr-link",
  "mode",
  "permission-mode",
  "agent-name",
]);
