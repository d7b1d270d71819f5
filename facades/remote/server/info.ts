import type { Session } from "../../../core/session.ts";
import type { SessionInfo } from "../wire.ts";

/** What is true of a session besides its messages. */
export function sessionInfo(
  session: Session,
  known: Pick<SessionInfo, "recordSeq" | "presence">,
): SessionInfo {
  const { state, settings } = session;
  const { contextWindow } = settings.model;
  return {
    ...known,
    seq: state.seq,
    running: session.running,
    waiting: session.waiting,
    title: state.title,
    model: settings.model.name,
    mode: settings.mode,
    cwd: state.cwd || settings.roots[0] || "",
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    turns: state.turns,
    usage: state.usage,
    contextTokens: state.contextTokens,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(state.open !== undefined && { open: state.open }),
    errors: state.errors.length,
    approvals: session.approvals,
  };
}
