import type { SessionUpdate } from "@agentclientprotocol/sdk";
import assert from "node:assert/strict";

/** What an editor has on its screen, made of the updates it got. */
export interface View {
  /** Messages and calls, in order; chunks of one message are one. */
  readonly entries: Record<string, unknown>[];
  readonly plan: unknown;
}

/** Shows updates as a strict editor does: an update of an unknown call is an error. */
export function view(updates: readonly SessionUpdate[]): View {
  const entries: Record<string, unknown>[] = [];
  let plan: unknown;
  for (const update of updates) {
    switch (update.sessionUpdate) {
      case "user_message_chunk":
      case "agent_message_chunk":
      case "agent_thought_chunk": {
        const { sessionUpdate: kind, messageId, content } = update;
        const last = entries.at(-1);
        const same = last?.kind === kind && last.messageId === messageId;
        const held = last?.blocks as typeof content[] | undefined;
        const end = held?.at(-1);
        if (same && end?.type === "text" && content.type === "text") {
          end.text += content.text;
        } else if (same) held?.push(structuredClone(content));
        else {
          entries.push({ kind, messageId, blocks: [structuredClone(content)] });
        }
        break;
      }
      case "tool_call": {
        const { sessionUpdate: _, ...call } = update;
        assert.ok(!entries.some((e) => e.toolCallId === call.toolCallId));
        entries.push({ kind_: "tool_call", ...structuredClone(call) });
        break;
      }
      case "tool_call_update": {
        const { sessionUpdate: _, ...changes } = update;
        const call = entries.find((e) => e.toolCallId === changes.toolCallId);
        assert.ok(call, `Tool call not found: ${changes.toolCallId}`);
        Object.assign(call, structuredClone(changes));
        break;
      }
      case "compaction_update": {
        const { sessionUpdate: kind, ...rest } = update;
        entries.push({ kind, ...rest });
        break;
      }
      case "plan":
        plan = update.entries;
    }
  }
  return { entries, plan };
}
