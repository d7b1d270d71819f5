import type { PlanEntry, SessionUpdate } from "@agentclientprotocol/sdk";
import type { ToolCall, ToolMessage } from "../../../core/message.ts";

/** True for a call of the tool that says what the model means to do. */
export function isPlan({ name }: ToolCall): boolean {
  return name === "plan";
}

/** The plan a call holds; undefined when it failed or holds none. */
export function planUpdate(
  call: ToolCall,
  { status }: ToolMessage,
): SessionUpdate | undefined {
  if (status !== "completed") return undefined;
  const { entries } = call.arguments as { entries?: unknown };
  if (!Array.isArray(entries)) return undefined;
  return { sessionUpdate: "plan", entries: entries.map(entry) };
}

// The tool checked them; the record may be of an older one.
function entry(value: unknown): PlanEntry {
  const { content, priority, status } = (value ?? {}) as Partial<PlanEntry>;
  return {
    content: String(content ?? ""),
    priority: priority === "high" || priority === "low" ? priority : "medium",
    status: status === "in_progress" || status === "completed"
      ? status
      : "pending",
  };
}
