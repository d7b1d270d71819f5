import type { Message, ToolCall } from "../../core/message.ts";
import type { Row, Value } from "./database.ts";

/** A row of an older program's table `messages`, and what was wrong with it. */
export interface LegacyMessage {
  readonly session: string;
  readonly id: string;
  /** ISO 8601, UTC; undefined when the row has no time. */
  readonly at: string | undefined;
  readonly message: Message;
  readonly importance: Value;
  readonly embedding: Value;
  readonly embeddingError: Value;
  readonly consolidatedAt: string | null;
  readonly notes: readonly string[];
  /** As it was. */
  readonly row: Row;
}

/** Reads a row; every row can be read, `notes` says what was changed. */
export function legacyMessage(row: Row): LegacyMessage {
  const notes: string[] = [];
  const note = (text: string) => void notes.push(text);
  const id = textOf(row, "id", note) ?? `legacy-${row.rowid_}`;
  return {
    session: textOf(row, "session_id", note) ?? "",
    id,
    at: timeOf(row.created_at, note),
    message: messageOf(row, id, note),
    importance: numberOf(row.importance, note),
    embedding: row.embedding ?? null,
    embeddingError: row.embedding_error ?? null,
    consolidatedAt: typeof row.consolidated_at === "string"
      ? row.consolidated_at
      : null,
    notes,
    row,
  };
}

type Note = (text: string) => void;

function messageOf(row: Row, id: string, note: Note): Message {
  const calls = callsOf(row.tool_calls_json, note);
  const empty = calls.length > 0 && row.content === null;
  const content = empty ? "" : textOf(row, "content", note) ?? "";
  switch (row.role) {
    case "user":
      return { role: "user", id, content };
    case "system":
      return { role: "system", id, content };
    case "tool":
      return {
        role: "tool",
        id,
        toolCallId: String(row.tool_call_id ?? `legacy-tool-${id}`),
        name: String(row.tool_name ?? "system"),
        content,
        status: "completed",
        approval: "auto",
      };
    default:
      if (row.role !== "assistant") {
        note(`its role ${JSON.stringify(row.role)} is kept as assistant`);
      }
      return {
        role: "assistant",
        id,
        content,
        model: "legacy-messages-migration",
        ...(calls.length > 0 && { toolCalls: calls }),
      };
  }
}

function callsOf(json: Value | undefined, note: Note): readonly ToolCall[] {
  if (json === null || json === undefined || json === "") return [];
  const list = parse(String(json));
  if (!Array.isArray(list)) {
    note("its tool_calls_json is no list, its calls are left out");
    return [];
  }
  const calls = list.map(callOf);
  if (calls.includes(undefined)) note("calls without id or name are left out");
  return calls.filter((call) => call !== undefined);
}

// Flat, or with `function` inside as model servers write it; arguments as JSON in a string.
function callOf(value: unknown): ToolCall | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { id, function: inner, ...flat } = value as Record<string, unknown>;
  const { name, arguments: input } = {
    ...flat,
    ...(typeof inner === "object" && inner),
  } as Record<string, unknown>;
  if (typeof id !== "string" || typeof name !== "string") return undefined;
  if (typeof input !== "string") return { id, name, arguments: input ?? {} };
  return { id, name, arguments: parse(input) ?? input };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined; // the caller says what it makes of it
  }
}

function textOf(row: Row, column: string, note: Note): string | undefined {
  const value = row[column];
  if (typeof value === "string" && (value || column === "content")) {
    return value;
  }
  if (value instanceof Uint8Array) {
    note(`its ${column} is bytes, read as UTF-8`);
    return new TextDecoder().decode(value);
  }
  if (typeof value === "number") return String(value);
  note(`it has no ${column}`);
  return undefined;
}

function timeOf(value: Value | undefined, note: Note): string | undefined {
  const time = new Date(typeof value === "string" ? value : NaN);
  const year = time.getUTCFullYear(); // NaN when it is no time at all
  if (year >= 0 && year <= 9999) return time.toISOString();
  note(`its created_at ${JSON.stringify(value ?? null)} is no time`);
  return undefined;
}

function numberOf(value: Value | undefined, note: Note): Value {
  if (typeof value === "number") return value;
  if (value !== null && value !== undefined) {
    note("its importance is no number");
  }
  return null;
}
