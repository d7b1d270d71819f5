import { eventProblem } from "../../core/check_event.ts";
import type { SessionEvent } from "../../core/event.ts";
import { isObject, tryParse } from "../../core/json.ts";
import { contentText, type Message } from "../../core/message.ts";
import { inParts, isPart, PART, type Part, partProblem } from "./parts.ts";

/** A row of `events`, as it is inserted. */
export interface EventRow {
  readonly type: string;
  readonly data: string;
  readonly at: string;
  readonly tool: string | null;
}

/** The rows of an event: one, and the parts of a whole conversation after it. */
export function* rowsOf(event: SessionEvent): Generator<EventRow> {
  if (event.type !== "restored") return yield rowOf(event);
  const [first, ...parts] = inParts(event);
  yield rowOf(first);
  for (const part of parts) {
    const data = JSON.stringify(part);
    yield { type: PART, data, at: event.at, tool: null };
  }
}

function rowOf(event: SessionEvent): EventRow {
  const message = event.type === "message" ? event.message : undefined;
  return {
    type: rowType(event),
    data: JSON.stringify(event),
    at: event.at,
    tool: message?.role === "tool" ? clean(message.name) : null,
  };
}

// Words that other programs on the same table know; those they lack are our own.
function rowType(event: SessionEvent): string {
  switch (event.type) {
    case "opened":
      return "session_start";
    case "message":
      return ROLES[event.message.role];
    case "settled":
      return "task_end";
    case "failed":
      return "error";
    default:
      return clean((event as { type: string }).type);
  }
}

const ROLES = {
  system: "system_message",
  user: "user_message",
  assistant: "assistant_response",
  tool: "tool_result",
} as const;

/** What a row holds: an event, or messages that belong to the one before. */
export type Stored = SessionEvent | Part;

/** What a row's `data` holds; undefined when it is damaged, which whoever reads the session is told. */
export function storedIn(data: string): Stored | undefined {
  const value = tryParse(data);
  if (!isObject(value)) return undefined;
  const stored = value as unknown as Stored;
  const problem = isPart(stored)
    ? partProblem(stored.messages)
    : eventProblem(stored);
  return problem === undefined ? stored : undefined;
}

/** What can be searched of a row; empty when there is nothing. See `said`. */
export function searchText(stored: Stored, gone?: number): string {
  return said(stored, gone).map(textOf).join("\n").slice(0, MAX_RESTORED);
}

/**
 * The messages in a row that can be searched: one, or those of a whole
 * conversation before the place `gone`, from which on all was taken back.
 */
export function said(stored: Stored, gone = Infinity): readonly Message[] {
  const messages = isPart(stored)
    ? stored.messages.filter(({ seq }) => seq < gone)
    : stored.type === "message"
    ? [stored.message]
    : stored.type === "restored"
    ? stored.state.messages.filter(({ seq }) => seq < gone)
    : [];
  return messages.filter(({ role }) => role !== "system");
}

function textOf({ content }: Message): string {
  return clean(contentText(content).slice(0, MAX_TEXT));
}

// What a tool read may be long; nobody looks for what stands in its middle.
const MAX_TEXT = 100_000;

const MAX_RESTORED = 10_000_000;

// In a column of its own, text that is not well-formed would come back changed.
function clean(text: string): string {
  return text.replaceAll("\0", "\ufffd").toWellFormed();
}
