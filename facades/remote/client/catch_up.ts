import {
  isDurable,
  type Live,
  type SessionEvent,
  type Update,
} from "../../../core/event.ts";
import type { Change } from "./mirror.ts";
import type { PartialAnswer, RunningTool, View } from "./view.ts";

/**
 * What a replay tells that was not told before, as the updates that would have
 * told it: a screen that only ever goes on shows nothing twice.
 */
export function* catchUp(
  { updates, before, after }: Change,
): Generator<Update> {
  const settled = before.approvals.filter(({ request, decision }) =>
    !decision &&
    !after.approvals.some((q) => q.request.id === request.id && !q.decision)
  );
  for (const { request: { id: requestId } } of settled) {
    const now = after.approvals.find((q) => q.request.id === requestId);
    const decision = now?.decision ?? { outcome: "cancelled" };
    yield { type: "approval_settled", requestId, decision };
  }
  const missed = updates.filter(isDurable).filter((event) =>
    event.seq > before.state.seq && event.type !== "restored" &&
    !isKnown(event, before)
  );
  for (const event of missed) {
    yield* restOf(event, before.partial);
    yield event;
  }
  if (after.running && !before.running) {
    yield { type: "running", running: true };
  }
  yield* passing(after, before);
  for (const { request } of asked(before, after)) {
    yield { type: "approval_asked", request };
  }
  if (before.running && !after.running) {
    yield { type: "running", running: false };
  }
}

// A new server tells all failures anew, at a place that is not theirs.
function isKnown(event: SessionEvent, { state }: Pick<View, "state">): boolean {
  return event.type === "failed" &&
    state.errors.some((e) => e.at === event.at && e.line === event.line);
}

/** What is under way, as the updates that tell it; of what was told `before`, what is new. */
export function* passing(
  { partial, tools }: Pick<View, "partial" | "tools">,
  before?: Pick<View, "partial" | "tools">,
): Generator<Live> {
  yield* growth(before?.partial, partial);
  for (const tool of tools) {
    const known = before?.tools.find((t) => t.call.id === tool.call.id);
    yield* progress(known, tool);
  }
}

/** The end of an answer whose beginning was told already. */
function* restOf(
  event: SessionEvent,
  begun: PartialAnswer | undefined,
): Generator<Update> {
  if (event.type !== "message" || event.message.role !== "assistant") return;
  const { id: messageId, content: text, thought = "" } = event.message;
  if (begun?.messageId !== messageId) return;
  yield* growth(begun, { messageId, text, thought });
}

function* growth(
  before: PartialAnswer | undefined,
  after: PartialAnswer | undefined,
): Generator<Live> {
  if (!after) return;
  const { messageId } = after;
  const known = before?.messageId === messageId ? before : undefined;
  for (const type of ["thought", "text"] as const) {
    const text = added(known?.[type], after[type]);
    if (text) yield { type, messageId, text };
  }
}

function* progress(
  before: RunningTool | undefined,
  { call, title, kind, locations, diffs, status, output }: RunningTool,
): Generator<Live> {
  const { id: toolCallId } = call;
  if (!before) {
    yield { type: "tool_started", call, title, kind, locations, diffs };
  }
  if (status === "running" && before?.status !== "running") {
    yield { type: "tool_running", toolCallId };
  }
  const text = added(before?.output, output);
  if (text) yield { type: "tool_output", toolCallId, text };
}

// What does not go on from what was told is told whole.
function added(before: string | undefined, after: string): string {
  return before && after.startsWith(before)
    ? after.slice(before.length)
    : before === after
    ? ""
    : after;
}

function asked(
  before: Pick<View, "approvals">,
  after: Pick<View, "approvals">,
): View["approvals"] {
  return after.approvals.filter((q) =>
    !q.decision &&
    !before.approvals.some((b) => b.request.id === q.request.id && !b.decision)
  );
}
