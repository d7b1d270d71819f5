import { errorLine, errorRaw } from "./error.ts";
import { isPrompt } from "./fold.ts";
import { contentText, firstLine } from "./message.ts";
import type { TurnHost } from "./turn_host.ts";

/** How a compaction ended. `nothing`: there is no old turn to shorten. */
export type CompactionEnd = "compacted" | "nothing" | "failed" | "cancelled";

/**
 * Compacts a session's record. A failure or an empty summary changes nothing
 * but the trace; a cancelled one leaves none.
 */
export async function compactNow(
  host: TurnHost,
  options: { readonly focus?: string; readonly automatic?: boolean },
  signal: AbortSignal,
): Promise<CompactionEnd> {
  const { record, kit, model } = host;
  const { focus, automatic } = options;
  const { state } = record;
  record.show({ type: "running", running: true, activity: "compacting" });
  try {
    const compaction = await kit.compactor.compact({
      messages: state.messages.filter((m) => !isPrompt(m)),
      keepTurns: kit.compaction.keepTurns,
      model,
      ...(state.open !== undefined && { open: state.open }),
      ...(focus && { focus }),
    }, signal);
    signal.throwIfAborted();
    if (!compaction) return "nothing";
    if (!compaction.summary.trim()) {
      throw new Error("the summary came back empty");
    }
    const { summary } = compaction;
    // Whatever the compactor says, the running turn stays whole: it may yet be withdrawn.
    const keepFrom = Math.min(compaction.keepFrom, state.open ?? Infinity);
    await record.append({ type: "compacted", summary, keepFrom });
    if (automatic) {
      const text =
        "The conversation was getting long: older turns are now a summary";
      record.show({ type: "notice", level: "info", text });
    }
    return "compacted";
  } catch (error) {
    if (signal.aborted) return "cancelled";
    const question = state.messages.find((m) => m.seq === state.open);
    const raw = errorRaw(error);
    await record.append({
      type: "failed",
      kind: "compaction",
      turns: state.turns,
      question: question?.role === "user"
        ? firstLine(contentText(question.content), 200)
        : "",
      line: `Cannot compact the conversation: ${errorLine(error)}`,
      ...(raw !== undefined && { raw }),
    });
    return "failed";
  } finally {
    record.show({
      type: "running",
      running: host.session.running,
    });
  }
}
