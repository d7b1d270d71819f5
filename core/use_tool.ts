import { type Decision, policy } from "./approval.ts";
import { errorLine } from "./error.ts";
import { newMessageId, randomHex } from "./id.ts";
import type { ToolCall, ToolMessage } from "./message.ts";
import {
  parseInput,
  type Tool,
  type ToolContext,
  type ToolPlan,
} from "./tool.ts";
import type { TurnHost } from "./turn_host.ts";

/** What the model is told of a call that the user cancelled. */
export const CANCELLED = "Cancelled by the user";

/**
 * One tool call, from its name to its recorded result: find, check, plan,
 * approve, run. Whatever goes wrong, an abort included, is a result.
 */
export async function useTool(
  host: TurnHost,
  call: ToolCall,
  signal: AbortSignal,
): Promise<void> {
  const message = await result(host, call, signal);
  await host.record.append({ type: "message", message });
}

async function result(
  host: TurnHost,
  call: ToolCall,
  signal: AbortSignal,
): Promise<ToolMessage> {
  const done = {
    role: "tool",
    id: newMessageId(),
    toolCallId: call.id,
    name: call.name,
    approval: "auto",
  } as const;
  const failed = (content: string) =>
    ({ ...done, content, status: "failed" }) as const;

  const tool = host.tools().find((t) => t.name === call.name);
  if (!tool) {
    const names = host.tools().map((t) => t.name).join(", ");
    announce(host, call, { title: call.name, access: "auto" });
    return failed(
      `Cannot find tool "${call.name}": choose one of ${names || "none"}`,
    );
  }
  const known = { ...done, title: call.name, kind: tool.kind };
  try {
    const context = toolContext(host, call, signal);
    const input = parseInput(tool, call.arguments);
    const plan = await tool.plan(input, context);
    announce(host, call, plan, tool);
    const shown = { ...known, ...shownOf(plan) };
    const decision = await approve(host, tool, call, plan, signal);
    const { outcome } = decision;
    // Nobody said yes: what was asked and never answered counts as denied.
    if (signal.aborted || outcome === "cancelled") {
      return { ...shown, ...cancelled(decision.asked ? "denied" : "auto") };
    }
    if (outcome === "reject") return { ...shown, ...denied(decision) };
    host.record.show({ type: "tool_running", toolCallId: call.id });
    return { ...shown, ...await run(tool, input, context, decision) };
  } catch (error) {
    announce(host, call, { title: call.name, access: "auto" }, tool);
    return signal.aborted
      ? { ...known, ...cancelled("auto") }
      : { ...known, content: errorLine(error), status: "failed" };
  }
}

function toolContext(
  { record, roots, allowed, session }: TurnHost,
  call: ToolCall,
  signal: AbortSignal,
): ToolContext {
  const toolCallId = call.id;
  const { files } = session.settings;
  return {
    cwd: roots[0] ?? record.state.cwd,
    roots,
    sessionId: record.id,
    toolCallId,
    allowed: allowed.get(call.name) ?? new Set(),
    output: (text) => record.show({ type: "tool_output", toolCallId, text }),
    ...(files && { files }),
    signal,
  };
}

function announce(
  { record }: TurnHost,
  call: ToolCall,
  plan: ToolPlan,
  tool?: Tool,
): void {
  record.show({
    type: "tool_started",
    call,
    title: plan.title,
    kind: tool?.kind ?? "other",
    locations: plan.locations ?? [],
    ...(plan.diffs && { diffs: plan.diffs }),
  });
}

function shownOf({ title, locations, diffs }: ToolPlan): Partial<ToolMessage> {
  return {
    title,
    ...(locations?.length && { locations }),
    ...(diffs?.length && { diffs }),
  };
}

/** Approved by policy or memory counts as `auto`; `allowed` is what a person said yes to. */
async function approve(
  host: TurnHost,
  tool: Tool,
  call: ToolCall,
  plan: ToolPlan,
  signal: AbortSignal,
): Promise<Decision & { asked?: boolean }> {
  const { access, scope, reason = "changes things" } = plan;
  const verdict = policy(host.mode(), access);
  const remembered = scope !== undefined &&
    host.allowed.get(tool.name)?.has(scope);
  if (verdict === "allow" || (verdict === "ask" && remembered)) {
    return { outcome: "allow_once" };
  }
  if (verdict === "deny") {
    return {
      outcome: "reject",
      reason: `approvals are set to "${host.mode()}"`,
    };
  }
  if (host.approvers() === 0) {
    return {
      outcome: "reject",
      reason: "nobody is there to approve it; run mm with --approve to decide",
    };
  }
  const request = {
    id: `a-${randomHex(12)}`,
    call,
    title: plan.title,
    kind: tool.kind,
    locations: plan.locations ?? [],
    diffs: plan.diffs ?? [],
    reason,
    ...(scope !== undefined && { scope }),
  };
  const answer = host.approvals.ask(request, signal);
  host.record.show({ type: "approval_asked", request });
  const decision = await answer;
  host.record.show({
    type: "approval_settled",
    requestId: request.id,
    decision,
  });
  if (decision.outcome === "allow_always" && scope !== undefined) {
    remember(host, tool.name, scope);
  }
  return { ...decision, asked: true };
}

function remember({ allowed }: TurnHost, tool: string, scope: string): void {
  const scopes = allowed.get(tool) ?? new Set();
  allowed.set(tool, scopes.add(scope));
}

function denied({ reason }: Decision): Partial<ToolMessage> & {
  content: string;
  status: "failed";
  approval: "denied";
} {
  return {
    content: reason ? `Denied: ${reason}` : "Denied by the user",
    status: "failed",
    approval: "denied",
  };
}

function cancelled(approval: ToolMessage["approval"]): {
  content: string;
  status: "cancelled";
  approval: ToolMessage["approval"];
} {
  return { content: CANCELLED, status: "cancelled", approval };
}

async function run(
  tool: Tool,
  input: unknown,
  context: ToolContext,
  decision: { asked?: boolean },
): Promise<
  & Pick<ToolMessage, "content" | "status" | "approval">
  & Partial<ToolMessage>
> {
  const approval = decision.asked ? "allowed" : "auto";
  try {
    const result = await tool.run(input, context);
    const { content, diffs, locations, failed } = result;
    // A cancelled tool may return what it had instead of throwing: keep it.
    const status = context.signal.aborted
      ? "cancelled"
      : failed
      ? "failed"
      : "completed";
    return {
      content,
      status,
      approval,
      ...(diffs?.length && { diffs }),
      ...(locations?.length && { locations }),
    };
  } catch (error) {
    return context.signal.aborted
      ? cancelled(approval)
      : { content: errorLine(error), status: "failed", approval };
  }
}
