import type {
  PermissionOption,
  RequestPermissionRequest,
} from "@agentclientprotocol/sdk";
import type { ApprovalRequest, Decision } from "../../core/approval.ts";
import type { Peer } from "./peer.ts";
import { pendingCall } from "./show/tool.ts";

/** Lets the user decide. Whatever is no clear yes is a no. */
export async function askPermission(
  peer: Peer,
  sessionId: string,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<Decision> {
  try {
    const answer = await peer.requestPermission(
      question(sessionId, request),
      signal,
    );
    return decision(answer, request);
  } catch {
    return { outcome: "reject", reason: "the editor could not ask the user" };
  }
}

function question(
  sessionId: string,
  request: ApprovalRequest,
): RequestPermissionRequest {
  return {
    sessionId,
    toolCall: { ...pendingCall(request), _meta: { reason: request.reason } },
    options: options(request),
  };
}

function options({ scope }: ApprovalRequest): PermissionOption[] {
  return [
    { optionId: "allow_once", kind: "allow_once", name: "Allow" },
    ...scope === undefined ? [] : [
      {
        optionId: "allow_always",
        kind: "allow_always",
        name: `Allow "${scope}" for this session`,
      } as const,
    ],
    { optionId: "reject_once", kind: "reject_once", name: "Deny" },
  ];
}

function decision(answer: unknown, { scope }: ApprovalRequest): Decision {
  const { outcome } = (answer ?? {}) as { outcome?: unknown };
  const said = (outcome ?? {}) as { outcome?: unknown; optionId?: unknown };
  if (said.outcome === "cancelled") return { outcome: "cancelled" };
  if (said.outcome !== "selected") return { outcome: "reject" };
  switch (said.optionId) {
    case "allow_once":
      return { outcome: "allow_once" };
    case "allow_always":
      return { outcome: scope === undefined ? "reject" : "allow_always" };
    default:
      return { outcome: "reject" };
  }
}
