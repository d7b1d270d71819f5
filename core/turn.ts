import { callModel, type Unfinished } from "./call_model.ts";
import { compactNow, tryCompact } from "./compact_session.ts";
import { contextSize } from "./context.ts";
import { errorLine, errorRaw, ModelError } from "./error.ts";
import type { EventDraft, TurnReason } from "./event.ts";
import { isPrompt, type SessionState, type StoredFailure } from "./fold.ts";
import { newMessageId, randomHex } from "./id.ts";
import { Repeats, RoundLimit } from "./limits.ts";
import type { AssistantMessage, Content, ToolCall } from "./message.ts";
import type { ModelReply } from "./model.ts";
import type { SessionRecord } from "./record.ts";
import { closeCalls, closeTurn, repair } from "./repair.ts";
import { systemPrompt, type TurnHost } from "./turn_host.ts";
import { CANCELLED, useTool } from "./use_tool.ts";

/** How a turn ended. */
export interface TurnEnd {
  /** Whether there is an answer. */
  readonly status: "done" | "failed" | "cancelled";
  /** Why it ended, in ACP's words plus mm's own. */
  readonly reason: TurnReason;
  /** The record of what went wrong, when it failed. */
  readonly failure?: StoredFailure;
  /** It failed for want of a valid key. */
  readonly needsKey?: true;
}

/** What a turn answers, and the id of its message. */
export interface Question {
  readonly content: Content;
  readonly id: string;
}

/** Runs one user turn. Throws only when the store cannot write. */
export async function runTurn(
  host: TurnHost,
  question: Question,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const from = await ask(host, question);
  const unfinished: Unfinished = { id: "", text: "", thought: "" };
  try {
    await abortable(() => host.session.connect(), signal);
    const reason = await answer(host, unfinished, signal);
    return { status: "done", reason };
  } catch (error) {
    return signal.aborted
      ? await cancelled(host, from, unfinished)
      : await failed(host, from, error);
  }
}

async function ask(host: TurnHost, question: Question): Promise<number> {
  const { record, kit } = host;
  const system = systemPrompt(host);
  const events = await record.appendFrom((state) => {
    const drafts: EventDraft[] = [...repair(state, kit.now())];
    if (state.messages.find(isPrompt)?.content !== system) {
      const id = newMessageId();
      const message = { role: "system", id, content: system } as const;
      drafts.push({ type: "message", message });
    }
    const message = { role: "user", ...question } as const;
    return [...drafts, { type: "message", message }];
  });
  return events.at(-1)?.seq ?? 0;
}

async function answer(
  host: TurnHost,
  unfinished: Unfinished,
  signal: AbortSignal,
): Promise<TurnReason> {
  const { record, kit } = host;
  const repeats = new Repeats(kit.maxRepeats);
  const automatic = { automatic: true };
  let full = false; // compacted by size: once a turn
  let overflowed = false; // compacted because the server said so: once more
  for (let round = 0; round < kit.maxRounds; round++) {
    signal.throwIfAborted();
    if (!full && isFull(host)) {
      full = true;
      await compactNow(host, automatic, signal);
    }
    const saw = record.state.seq;
    let reply: ModelReply;
    try {
      reply = await callModel(host, unfinished, signal);
    } catch (error) {
      const tooLong = error instanceof ModelError && error.kind === "overflow";
      if (!tooLong || signal.aborted || overflowed) throw error;
      overflowed = true;
      await makeRoom(host, error, signal);
      continue;
    }
    const calls = uniqueCalls(reply.toolCalls ?? [], record.state);
    const message = assistantMessage(host, reply, calls, unfinished.id);
    const reason = await recordAnswer(record, message, saw);
    if (reason !== undefined) return reason;
    Object.assign(unfinished, { id: "", text: "", thought: "" });
    for (const call of calls) {
      signal.throwIfAborted();
      repeats.check(call);
      await useTool(host, call, signal);
    }
  }
  throw new RoundLimit(
    `Stopped after ${kit.maxRounds} rounds of tool calls: ask to go on, or raise tools.maxRounds`,
  );
}

/** Compacts because the server found the context too long; throws one error when that does not help. */
async function makeRoom(
  host: TurnHost,
  overflow: ModelError,
  signal: AbortSignal,
): Promise<void> {
  const { end, error } = await tryCompact(host, { automatic: true }, signal);
  if (end === "compacted") return;
  if (end !== "failed") throw overflow;
  throw new ModelError(
    "overflow",
    `${overflow.message}; compacting failed too: ${errorLine(error)}`,
    { raw: overflow.raw ?? errorRaw(error) ?? "", cause: error },
  );
}

/** Records an answer, with the end of the turn when nothing is left to do; the reason of that end. */
async function recordAnswer(
  record: SessionRecord,
  message: AssistantMessage,
  saw: number,
): Promise<TurnReason | undefined> {
  const events = await record.appendFrom((state) => {
    const late = state.seq > saw;
    const said = { ...message, ...(late && { saw }) };
    const steered = state.messages.some((m) =>
      m.role === "user" && m.seq > saw
    );
    const drafts: EventDraft[] = [{ type: "message", message: said }];
    if (!message.toolCalls && !steered) {
      drafts.push({ type: "settled", reason: endReason(message) });
    }
    return drafts;
  });
  const end = events.at(-1);
  return end?.type === "settled" ? end.reason : undefined;
}

function endReason({ stopReason }: AssistantMessage): TurnReason {
  return stopReason === undefined || stopReason === "tool_use"
    ? "end_turn"
    : stopReason;
}

// Some servers number the calls of each answer anew; in a record an id names one call.
function uniqueCalls(
  calls: readonly ToolCall[],
  state: SessionState,
): readonly ToolCall[] {
  const used = new Set(
    state.messages.flatMap((m) =>
      m.role === "assistant" ? m.toolCalls?.map((c) => c.id) ?? [] : []
    ),
  );
  return calls.map((call) => {
    const fresh = call.id !== "" && !used.has(call.id);
    const id = fresh ? call.id : `call-${randomHex(12)}`;
    used.add(id);
    return fresh ? call : { ...call, id };
  });
}

/** What `work` gives, or the signal's reason as soon as it is aborted; then nothing is begun. */
async function abortable<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function isFull(host: TurnHost): boolean {
  const { record, model, kit } = host;
  const { contextWindow: window } = model;
  return window !== undefined &&
    contextSize(record.state, systemPrompt(host), window) >
      kit.compaction.at * window;
}

function assistantMessage(
  { model }: TurnHost,
  reply: ModelReply,
  toolCalls: readonly ToolCall[],
  id: string,
): AssistantMessage {
  const { content, thought, stopReason, usage, provider } = reply;
  return {
    role: "assistant",
    id,
    content,
    ...(thought && { thought }),
    ...(toolCalls.length > 0 && { toolCalls }),
    model: model.name,
    stopReason,
    ...(usage && { usage }),
    ...(provider !== undefined && { provider }),
  };
}

async function cancelled(
  { record, model }: TurnHost,
  from: number,
  { id, text: content, thought }: Unfinished,
): Promise<TurnEnd> {
  const reason = "cancelled";
  await record.appendFrom((state) => {
    const turn = state.messages.filter((m) => m.seq >= from);
    const drafts = closeCalls(turn, "cancelled", CANCELLED);
    if (content.trim()) {
      const message: AssistantMessage = {
        role: "assistant",
        id,
        content,
        ...(thought && { thought }),
        model: model.name,
        stopReason: reason,
      };
      drafts.push({ type: "message", message });
    }
    const produced = drafts.length > 0 ||
      turn.some((m) => m.role === "assistant");
    return [
      ...drafts,
      produced ? { type: "settled", reason } : { type: "withdrawn", from },
    ];
  });
  return { status: "cancelled", reason };
}

async function failed(
  { record }: TurnHost,
  from: number,
  error: unknown,
): Promise<TurnEnd> {
  const raw = errorRaw(error);
  const reason = error instanceof RoundLimit ? "max_turn_requests" : "failed";
  await record.appendFrom((state) =>
    closeTurn(state, from, {
      line: errorLine(error),
      reason,
      result: "No result was recorded: the turn failed first",
      ...(raw !== undefined && { raw }),
    })
  );
  const failure = record.state.errors.findLast((e) => e.kind === "generation");
  const needsKey = error instanceof ModelError && error.kind === "auth";
  return {
    status: "failed",
    reason,
    ...(failure && { failure }),
    ...(needsKey && { needsKey }),
  };
}
