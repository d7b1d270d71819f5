import type { SessionState } from "../../../core/fold.ts";
import type { SessionInfo } from "../wire.ts";
import type { Passing } from "./passing.ts";
import { IDLE } from "./passing.ts";

/** The state with what the server says of it: a record whose beginning is gone does not tell. */
export function adoptState(
  { open: _, ...state }: SessionState,
  info: SessionInfo,
): SessionState {
  const { seq, title, cwd, createdAt, updatedAt, turns, usage } = info;
  return {
    ...state,
    seq,
    title,
    cwd,
    createdAt,
    updatedAt,
    turns,
    usage,
    contextTokens: info.contextTokens,
    ...(info.open !== undefined && { open: info.open }),
  };
}

/** What passes, as far as the server and the record agree with it. */
export function adoptPassing(
  { partial, tools, approvals }: Passing,
  { messages }: SessionState,
  { running, approvals: open }: SessionInfo,
): Passing {
  if (!running) return IDLE;
  const ended = new Set<string>(
    messages.flatMap((m) => m.role === "tool" ? [m.toolCallId] : []),
  );
  const said = messages.some((m) => m.id === partial?.messageId);
  const known = new Set(approvals.map((q) => q.request.id));
  return {
    running,
    partial: said ? undefined : partial,
    tools: tools.filter((t) => !ended.has(t.call.id)),
    approvals: [
      ...approvals.filter(({ request, decision }) =>
        decision || open.some((o) => o.id === request.id)
      ),
      ...open.filter((o) => !known.has(o.id)).map((request) => ({ request })),
    ],
  };
}
