import type {
  Content,
  ContentBlock,
  StopReason,
} from "../../../../core/message.ts";
import { Recorder, type Transcript } from "./transcript.ts";
import { count, type Fields, fields, items, text, usage } from "./values.ts";

/** Tells the lines of a pi session. */
export function isPi(lines: readonly (Fields | undefined)[]): boolean {
  const [header] = lines;
  return header?.type === "session" && typeof header.id === "string" &&
    !lines.some((line) => typeof line?.seq === "number");
}

/** Reads a pi session: of its tree, the branch that was used last. */
export function readPi(
  lines: readonly (Fields | undefined)[],
  cwd: string,
): Omit<Transcript, "tool"> | undefined {
  const [header = {}, ...rest] = lines;
  const recorder = new Recorder(text(header.cwd) || cwd, header.timestamp);
  const branch = branchOf(rest.filter((line) => line !== undefined));
  const places = new Map<string, number>(); // entry → seq
  let leftOut = rest.filter((line) => line !== undefined).length -
    branch.length;
  let unknown = rest.filter((line) => line === undefined).length;
  for (const entry of branch) {
    places.set(text(entry.id), recorder.next);
    const end = record(recorder, entry, places);
    if (end === "unknown") unknown++;
    if (end === "left out") leftOut++;
  }
  const state = recorder.end();
  const { ids, untimed } = recorder;
  const origin = text(header.id);
  return state && { origin, state, ids, unknown, leftOut, untimed };
}

// From the last entry up to the root; the first version had no tree.
function branchOf(entries: readonly Fields[]): readonly Fields[] {
  if (!entries.some((e) => "parentId" in e)) return entries;
  const byId = new Map(entries.map((e) => [e.id, e]));
  const branch = new Set<Fields>(); // a damaged file may go in circles
  let entry = entries.at(-1);
  while (entry && !branch.has(entry)) {
    branch.add(entry);
    entry = byId.get(entry.parentId);
  }
  return [...branch].reverse();
}

type End = "recorded" | "left out" | "unknown";

function record(
  recorder: Recorder,
  entry: Fields,
  places: ReadonlyMap<string, number>,
): End {
  const { timestamp: at } = entry;
  switch (entry.type) {
    case "message":
      return message(recorder, text(entry.id), fields(entry.message), at);
    case "compaction": {
      const kept = places.get(text(entry.firstKeptEntryId));
      recorder.compacted(text(entry.summary), kept, at);
      return "recorded";
    }
    case "session_info":
      recorder.titled(text(entry.name));
      return "recorded";
    case "model_change":
    case "thinking_level_change":
    case "branch_summary":
    case "custom":
    case "custom_message":
    case "label":
      return "left out";
    default:
      return "unknown";
  }
}

function message(
  recorder: Recorder,
  entryId: string,
  said: Fields,
  entryAt: unknown,
): End {
  const at = entryAt ?? said.timestamp;
  const id = entryId || `m${recorder.next}`;
  const blocks = items(said.content).map(fields);
  switch (said.role) {
    case "user":
      recorder.user(id, contentOf(said.content), at);
      return "recorded";
    case "assistant":
      recorder.assistant(answer(id, said, blocks), at);
      return "recorded";
    case "toolResult":
      return recorder.result({
          toolCallId: text(said.toolCallId),
          name: text(said.toolName) || undefined,
          content: blocks.map((b) =>
            b.type === "text" ? text(b.text) : `[${text(b.type)}]`
          ).join("\n"),
          status: said.isError === true ? "failed" : "completed",
        }, at)
        ? "recorded"
        : "unknown";
    case "bashExecution":
    case "custom":
    case "hookMessage":
    case "branchSummary":
    case "compactionSummary":
      return "left out";
    default:
      return "unknown";
  }
}

function answer(id: string, said: Fields, blocks: readonly Fields[]) {
  const all = (type: string) =>
    blocks.filter((b) => b.type === type).map((b) => text(b[type]));
  const thought = all("thinking").filter(Boolean).join("\n\n");
  const toolCalls = blocks.filter((b) => b.type === "toolCall").map((b) => ({
    id: text(b.id),
    name: text(b.name),
    arguments: b.arguments ?? {},
  }));
  const u = fields(said.usage);
  const cached = count(u.cacheRead);
  const read = count(u.input) + cached + count(u.cacheWrite);
  const spent = usage(read, count(u.output), cached);
  return {
    id,
    content: all("text").join("\n"),
    ...(thought && { thought }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(text(said.model) && { model: text(said.model) }),
    ...(spent && { usage: spent }),
    stopReason: STOPS[text(said.stopReason)] ?? "end_turn",
  };
}

const STOPS: Readonly<Record<string, StopReason>> = {
  stop: "end_turn",
  length: "max_tokens",
  toolUse: "tool_use",
  aborted: "cancelled",
};

function contentOf(content: unknown): Content {
  if (typeof content === "string") return content;
  const blocks = items(content).map(fields).flatMap((b): ContentBlock[] =>
    b.type === "text"
      ? [{ type: "text", text: text(b.text) }]
      : b.type === "image" && typeof b.data === "string"
      ? [{ type: "image", data: b.data, mimeType: text(b.mimeType) }]
      : []
  );
  const [only] = blocks;
  return blocks.length === 1 && only?.type === "text" ? only.text : blocks;
}
