import { Recorder, type Transcript } from "./transcript.ts";
import { count, type Fields, fields, items, text, usage } from "./values.ts";

/** Tells a chat of gemini-cli: one JSON document, or its lines. */
export function isGemini(head: Fields | undefined): boolean {
  return typeof head?.sessionId === "string" &&
    (Array.isArray(head.messages) || typeof head.projectHash === "string");
}

/** Reads a chat of gemini-cli. It does not say which folder it is about. */
export function readGemini(
  chat: Fields,
  cwd: string,
): Omit<Transcript, "tool"> | undefined {
  const recorder = new Recorder(cwd, chat.startTime);
  let unknown = 0;
  let leftOut = 0;
  for (const [i, value] of items(chat.messages).entries()) {
    const message = fields(value);
    const id = text(message.id) || `m${i}`;
    if (message.type === "user") {
      recorder.user(id, textOf(message.content), message.timestamp);
    } else if (message.type === "gemini") {
      answer(recorder, id, message);
    } else if (LEFT_OUT.has(message.type)) leftOut++;
    else unknown++;
  }
  recorder.titled(text(chat.summary));
  const state = recorder.end();
  const { ids, untimed } = recorder;
  const origin = text(chat.sessionId);
  return state && { origin, state, ids, unknown, leftOut, untimed };
}

/** Makes one document of the lines that newer versions write. */
export function joinGemini(lines: readonly (Fields | undefined)[]): Fields {
  let [chat = {}] = lines;
  const messages = new Map<string, Fields>();
  for (const line of lines.slice(1)) {
    if (!line) messages.set(`broken-${messages.size}`, {});
    else if ("$set" in line) chat = { ...chat, ...fields(line.$set) };
    else if ("$rewindTo" in line) rewind(messages, text(line.$rewindTo));
    else messages.set(text(line.id) || `m${messages.size}`, line);
  }
  return { ...chat, messages: [...items(chat.messages), ...messages.values()] };
}

function rewind(messages: Map<string, Fields>, id: string): void {
  const ids = [...messages.keys()];
  const from = ids.indexOf(id);
  for (const later of from < 0 ? [] : ids.slice(from)) messages.delete(later);
}

function answer(recorder: Recorder, id: string, message: Fields): void {
  const { timestamp: at } = message;
  const thought = items(message.thoughts).map(fields).map((t) =>
    [text(t.subject), text(t.description)].filter(Boolean).join("\n")
  ).join("\n\n");
  const calls = items(message.toolCalls).map(fields);
  const toolCalls = calls.map((call) => ({
    id: text(call.id),
    name: text(call.name),
    arguments: call.args ?? {},
  }));
  const t = fields(message.tokens);
  const output = count(t.output) + count(t.thoughts);
  const spent = usage(count(t.input), output, count(t.cached));
  recorder.assistant({
    id,
    content: textOf(message.content),
    ...(thought && { thought }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(text(message.model) && { model: text(message.model) }),
    ...(spent && { usage: spent }),
    stopReason: toolCalls.length > 0 ? "tool_use" : "end_turn",
  }, at);
  for (const call of calls) {
    const status = STATUS[text(call.status)];
    if (!status) continue; // it never ended
    const content = resultOf(call);
    recorder.result(
      { toolCallId: text(call.id), content, status },
      call.timestamp ?? at,
    );
  }
}

const STATUS: Readonly<Record<string, "completed" | "failed" | "cancelled">> = {
  success: "completed",
  error: "failed",
  cancelled: "cancelled",
};

function resultOf(call: Fields): string {
  const parts = items(call.result).map(fields).map((part) => {
    const { output, error } = fields(fields(part.functionResponse).response);
    return text(output) || text(error) || text(part.text);
  });
  return parts.filter(Boolean).join("\n") || text(call.resultDisplay);
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content : [content];
  return parts.map((part) =>
    typeof part === "string" ? part : text(fields(part).text)
  ).filter(Boolean).join("\n");
}

const LEFT_OUT: ReadonlySet<unknown> = new Set(["info", "error", "warning"]);
