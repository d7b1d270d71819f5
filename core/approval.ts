import type { FileDiff, ToolCall, ToolKind, ToolLocation } from "./message.ts";

/**
 * Who decides on tool calls. `ask`: read-only calls inside the project run,
 * the rest is asked. `edit`: edits inside the project run too. `all`: all run.
 * `read`: only read-only calls inside the project run, the rest is denied.
 * `none`: all are denied.
 */
export type ApprovalMode = "ask" | "edit" | "all" | "read" | "none";

/** Every mode, for schemas, flags and completion. */
export const APPROVAL_MODES = ["ask", "edit", "all", "read", "none"] as const;

/** How much a call asks for: `auto` is read-only inside the project, `edit` changes files inside it. */
export type Access = "auto" | "edit" | "ask";

/** A question to the user: may this run? */
export interface ApprovalRequest {
  /** Unique in the session: `decide` takes it. */
  readonly id: string;
  /** The call as the model made it. */
  readonly call: ToolCall;
  /** Short, for people: `Run ls`. */
  readonly title: string;
  /** What the tool does. */
  readonly kind: ToolKind;
  /** The files it touches. */
  readonly locations: readonly ToolLocation[];
  /** The change it would make. */
  readonly diffs: readonly FileDiff[];
  /** Why it is asked, as a short phrase. */
  readonly reason: string;
  /** What "always" would allow for the rest of the session; undefined when that is not offered. */
  readonly scope?: string;
}

/** The answer. `reason` on a rejection is told to the model. */
export interface Decision {
  /** `allow_always` holds for the rest of the session; `cancelled` is a turn that ended first. */
  readonly outcome: "allow_once" | "allow_always" | "reject" | "cancelled";
  /** Why not, in the user's words. */
  readonly reason?: string;
}

interface Pending {
  readonly request: ApprovalRequest;
  readonly settle: (decision: Decision) => void;
}

/** The questions of one session that wait for an answer. The first answer settles one for all. */
export class Approvals {
  #pending = new Map<string, Pending>();

  /** The open questions, oldest first. */
  get open(): readonly ApprovalRequest[] {
    return [...this.#pending.values()].map((p) => p.request);
  }

  /** Waits for `settle`; an abort settles it as cancelled. */
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<Decision> {
    return new Promise((resolve) => {
      const cancel = () => settle({ outcome: "cancelled" });
      const settle = (decision: Decision) => {
        this.#pending.delete(request.id);
        signal.removeEventListener("abort", cancel);
        resolve(decision);
      };
      this.#pending.set(request.id, { request, settle });
      signal.addEventListener("abort", cancel);
      if (signal.aborted) cancel();
    });
  }

  /** Answers a question; false when it is not open (any more). */
  settle(requestId: string, decision: Decision): boolean {
    const pending = this.#pending.get(requestId);
    pending?.settle(decision);
    return pending !== undefined;
  }
}

/** What `mode` says of a call before anyone is asked. */
export function policy(
  mode: ApprovalMode,
  access: Access,
): "allow" | "deny" | "ask" {
  switch (mode) {
    case "all":
      return "allow";
    case "none":
      return "deny";
    case "read":
      return access === "auto" ? "allow" : "deny";
    case "edit":
      return access === "ask" ? "ask" : "allow";
    case "ask":
      return access === "auto" ? "allow" : "ask";
  }
}
