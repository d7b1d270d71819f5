import type { SessionEvent } from "../../core/event.ts";
import { contentText, type Message } from "../../core/message.ts";

/** A row of `events`, as it is inserted. */
export interface EventRow {
  readonly type: string;
  readonly data: string;
  readonly at: string;
  readonly tool: string | null;
}

/** The row of an event. */
export function rowOf(event: SessionEvent): EventRow {
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

/** What can be searched of an event; empty when there is nothing. See `said`. */
export function searchText(event: SessionEvent, gone?: number): string {
  return said(event, gone).map(textOf).join("\n").slice(0, MAX_RESTORED);
}

/**
 * The messages an event brings that can be searched: one, or those of a whole
 * conversation before the place `gone`, from which on all was taken back.
 */
export function said(
  event: SessionEvent,
  gone = Infinity,
): readonly Message[] {
  const messages = event.type === "message"
    ? [event.message]
    : event.type === "restored"
    ? event.state.messages.filter(({ seq }) => seq < gone)
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
