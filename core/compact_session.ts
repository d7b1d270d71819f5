import type { Compaction } from "./compaction.ts";
import { errorLine, errorRaw } from "./error.ts";
import { isPrompt } from "./fold.ts";
import { contentText, firstLine } from "./message.ts";
import type { TurnHost } from "./turn_host.ts";

/** How a compaction ended. `nothing`: there is no old turn to shorten. */
export type CompactionEnd = "compacted" | "nothing" | "failed" | "cancelled";

/** What a compaction is asked for. */
export interface CompactOptions {
  /** What to keep above all, in the user's words. */
  readonly focus?: string;
  /** Nobody asked for it, so its success is told. */
  readonly automatic?: boolean;
}

/**
 * Compacts a session's record. A failure or an empty summary changes nothing
 * but the trace; a cancelled one leaves none.
 */
export async function compactNow(
  host: TurnHost,
  options: CompactOptions,
  signal: AbortSignal,
): Promise<CompactionEnd> {
  const { record } = host;
  const { state } = record;
  const { end, error } = await tryCompact(host, options, signal);
  if (end !== "failed") return end;
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
  return end;
}

/** The same, but a failure is left to the caller to record. */
export async function tryCompact(
  host: TurnHost,
  options: CompactOptions,
  signal: AbortSignal,
): Promise<{ readonly end: CompactionEnd; readonly error?: unknown }> {
  const { record, session } = host;
  record.show({ type: "running", running: true, activity: "compacting" });
  try {
    const compaction = await askCompactor(host, options, signal);
    signal.throwIfAborted();
    if (!compaction) return { end: "nothing" };
    await record.append({ type: "compacted", ...compaction });
    if (options.automatic) {
      const text =
        "The conversation was getting long: older turns are now a summary";
      record.show({ type: "notice", level: "info", text });
    }
    return { end: "compacted" };
  } catch (error) {
    return signal.aborted ? { end: "cancelled" } : { end: "failed", error };
  } finally {
    record.show({ type: "running", running: session.running });
  }
}

async function askCompactor(
  { record, kit, model }: TurnHost,
  { focus }: CompactOptions,
  signal: AbortSignal,
): Promise<Compaction | undefined> {
  const { messages, open } = record.state;
  const compaction = await kit.compactor.compact({
    messages: messages.filter((m) => !isPrompt(m)),
    keepTurns: kit.compaction.keepTurns,
    model,
    ...(open !== undefined && { open }),
    ...(focus && { focus }),
  }, signal);
  if (!compaction) return undefined;
  const { summary, keepFrom } = compaction;
  if (!summary.trim()) throw new Error("the summary came back empty");
  // Whatever the compactor says, the running turn stays whole: it may yet be withdrawn.
  return { summary, keepFrom: Math.min(keepFrom, open ?? Infinity) };
}
