import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { SessionState } from "../../../core/fold.ts";
import { replay, type ReplayItem } from "../../../core/replay.ts";
import { textChunk, userChunks } from "./chunk.ts";
import { isPlan, planUpdate } from "./plan.ts";
import type { Shows } from "./shows.ts";
import { summaryUpdate } from "./summary.ts";
import { wholeCall } from "./tool.ts";

/** A conversation as it was shown while it went on; of its plans, the last. */
export function* replayed(
  state: SessionState,
  shows: Shows,
): Generator<SessionUpdate> {
  const plan = lastPlan(state);
  for (const item of replay(state)) yield* updates(item, plan, shows);
}

function updates(
  item: ReplayItem,
  plan: string | undefined,
  shows: Shows,
): SessionUpdate[] {
  switch (item.type) {
    case "omitted":
      return [
        textChunk(
          "agent_thought_chunk",
          "omitted",
          "What came before is not kept.",
        ),
      ];
    case "summary":
      return [summaryUpdate(item.id, item.text, shows)];
    case "user":
      return userChunks(item.id, item.content);
    case "thought":
      return [textChunk("agent_thought_chunk", item.id, item.text)];
    case "assistant":
      return [textChunk("agent_message_chunk", item.id, item.text)];
    case "tool": {
      const { call, result } = item;
      if (!isPlan(call)) return [wholeCall(call, result)];
      const update = call.id === plan && planUpdate(call, result);
      return update ? [update] : [];
    }
  }
}

function lastPlan({ messages }: SessionState): string | undefined {
  const last = messages.findLast((m) =>
    m.role === "tool" && m.name === "plan" && m.status === "completed"
  );
  return last?.role === "tool" ? last.toolCallId : undefined;
}
