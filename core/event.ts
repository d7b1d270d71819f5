import type {
  Content,
  FileDiff,
  Message,
  StopReason,
  ToolCall,
  ToolKind,
  ToolLocation,
} from "./message.ts";
import type { SessionState } from "./fold.ts";
import type { ApprovalRequest, Decision } from "./approval.ts";

/** What went wrong once, as the user saw it. */
export interface Failure {
  /** What failed: an answer, a summary, or a `/resume`. */
  readonly kind: "generation" | "compaction" | "resume";
  /** Settled turns at that time. */
  readonly turns: number;
  /** First line of the question being answered; empty when there was none. */
  readonly question: string;
  /** Exactly the red line shown. */
  readonly line: string;
  /** The raw error, when it says more than `line`. */
  readonly raw?: string;
  /** The whole question, when it is more than `question`: `/retry` asks it again. */
  readonly prompt?: Content;
}

/** How a turn ended: a model's reason, or why there is none. */
export type TurnReason =
  | Exclude<StopReason, "tool_use">
  | "failed"
  | "interrupted"
  | "max_turn_requests";

/** What happened, before the session gives it its place and time. */
export type EventDraft =
  & Readonly<
    | { type: "opened"; cwd: string; model: string; parent?: string }
    | { type: "message"; message: Message }
    | { type: "settled"; reason: TurnReason }
    | { type: "withdrawn"; from: number }
    | { type: "compacted"; summary: string; keepFrom: number }
    | { type: "failed" } & Failure
    | { type: "titled"; title: string }
    | { type: "restored"; state: SessionState }
  >
  & { readonly at?: string };

/**
 * What happened, in order: the durable truth of a conversation. Core alone
 * gives `seq` (1, 2, 3 …) and `at` (ISO 8601, UTC). Event types may be added,
 * never changed; readers ignore those they do not know.
 */
export type SessionEvent = EventDraft & {
  readonly seq: number;
  readonly at: string;
};

/** What only a screen needs. It may be dropped for a slow reader and is never stored. */
export type Live = Readonly<
  | { type: "text"; messageId: string; text: string }
  | { type: "thought"; messageId: string; text: string }
  | {
    type: "tool_started";
    call: ToolCall;
    title: string;
    kind: ToolKind;
    locations: readonly ToolLocation[];
    diffs?: readonly FileDiff[];
  }
  | { type: "tool_running"; toolCallId: string }
  | { type: "tool_output"; toolCallId: string; text: string }
  | { type: "approval_asked"; request: ApprovalRequest }
  | { type: "approval_settled"; requestId: string; decision: Decision }
  | { type: "usage"; used: number; size?: number }
  | { type: "running"; running: boolean; activity?: string }
  | { type: "notice"; level: "info" | "warning"; text: string }
  | { type: "moved"; from: string; to: string }
  | { type: "rotated"; archived?: string }
>;

/** All that a facade hears of a session; durable events have a `seq`. */
export type Update = SessionEvent | Live;

/** Tells the events that must arrive from those that may be lost. */
export function isDurable(update: Update): update is SessionEvent {
  return "seq" in update;
}
