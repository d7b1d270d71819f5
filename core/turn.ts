import type { ApprovalMode, Approvals } from "./approval.ts";
import { compactNow } from "./compact_session.ts";
import type { Compactor } from "./compaction.ts";
import { context, contextSize } from "./context.ts";
import { errorLine, errorRaw, ModelError } from "./error.ts";
import type { EventDraft, TurnReason } from "./event.ts";
import { isPrompt, type SessionState, type StoredFailure } from "./fold.ts";
import { randomHex } from "./id.ts";
import type {
  AssistantMessage,
  Content,
  Message,
  ToolCall,
} from "./message.ts";
import { type Model, type ModelReply } from "./model.ts";
import type { Hooks } from "./plugin.ts";
import type { SessionRecord } from "./record.ts";
import { closeCalls, closeTurn, repair } from "./repair.ts";
import type { ServedTools, ToolServer } from "./server.ts";
import type { Session } from "./session.ts";
import { type Tool, toolSpec } from "./tool.ts";
import { CANCELLED, useTool } from "./use_tool.ts";

/** What a turn works with; the same for every turn of an agent unless it is set anew. */
export interface Kit {
  readonly tools: readonly Tool[];
  readonly hooks: readonly Hooks[];
  /** Starts a session's own tool servers. */
  serve(
    servers: readonly ToolServer[],
    signal: AbortSignal,
  ): Promise<readonly ServedTools[]>;
  readonly compactor: Compactor;
  /** Compact when this share of the window is used, keeping so many turns. */
  readonly compaction: { readonly at: number; readonly keepTurns: number };
  /** Model calls a turn may take. */
  readonly maxRounds: number;
  /** Identical calls in a row that are still run. */
  readonly maxRepeats: number;
  /** Today's system prompt for a session about `cwd`. */
  system(cwd: string): string;
  readonly now: () => Date;
}

/** What a turn needs of its session. */
export interface TurnHost {
  readonly session: Session;
  readonly record: SessionRecord;
  readonly kit: Kit;
  readonly model: Model;
  /** The kit's tools, then those of the session's servers. */
  readonly tools: readonly Tool[];
  readonly mode: ApprovalMode;
  readonly roots: readonly string[];
  readonly approvals: Approvals;
  /** Facades that can answer an approval. */
  readonly approvers: number;
  /** Scopes allowed for the session, by tool. */
  readonly allowed: Map<string, Set<string>>;
}

/** How a turn ended. */
export interface TurnEnd {
  readonly status: "done" | "failed" | "cancelled";
  readonly reason: TurnReason;
  /** The record of what went wrong, when it failed. */
  readonly failure?: StoredFailure;
}

/** Runs one user turn. Throws only when the store cannot write. */
export async function runTurn(
  host: TurnHost,
  question: Content,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const from = await ask(host, question);
  const unfinished: Unfinished = { id: "", text: "", thought: "" };
  try {
    await abortable(host.session.connect(), signal);
    const reason = await answer(host, unfinished, signal);
    return { status: "done", reason };
  } catch (error) {
    return signal.aborted
      ? await cancelled(host, from, unfinished)
      : await failed(host, from, error);
  }
}

/** What the model has said of a message that is not finished. */
interface Unfinished {
  id: string;
  text: string;
  thought: string;
}

async function ask(host: TurnHost, content: Content): Promise<number> {
  const { record, kit } = host;
  const system = systemPrompt(host);
  const events = await record.appendFrom((state) => {
    const drafts: EventDraft[] = [...repair(state, kit.now())];
    if (state.messages.find(isPrompt)?.content !== system) {
      const message = { role: "system", id: newId(), content: system } as const;
      drafts.push({ type: "message", message });
    }
    const message = { role: "user", id: newId(), content } as const;
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
      const end = await compactNow(host, automatic, signal);
      if (end !== "compacted") throw error;
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

/** `work`, or the signal's reason as soon as it is aborted. */
async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([work, aborted]);
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

async function callModel(
  host: TurnHost,
  unfinished: Unfinished,
  signal: AbortSignal,
): Promise<ModelReply> {
  const { record, kit, model, session } = host;
  let messages: readonly Message[] = context(
    record.state,
    systemPrompt(host),
    model.contextWindow,
  );
  for (const hook of kit.hooks) {
    messages = await hook.context?.(messages, session) ?? messages;
  }
  signal.throwIfAborted();
  const tools = host.mode === "none" ? [] : host.tools.map(toolSpec);
  Object.assign(unfinished, { id: newId(), text: "", thought: "" });
  const stream = model.stream({ messages, tools }, signal);
  let step = await stream.next();
  for (; !step.done; step = await stream.next()) {
    const delta = step.value;
    switch (delta.type) {
      case "text":
        unfinished.text += delta.text;
        record.show({ ...delta, messageId: unfinished.id });
        break;
      case "thought":
        unfinished.thought += delta.text;
        record.show({ ...delta, messageId: unfinished.id });
        break;
      case "retry": {
        const seconds = Math.ceil(delta.waitMs / 1000);
        const text = `${delta.reason}: trying again in ${seconds} s`;
        record.show({ type: "notice", level: "warning", text });
        break;
      }
    }
  }
  signal.throwIfAborted();
  checkReply(step.value);
  return step.value;
}

function checkReply({ content, toolCalls, stopReason }: ModelReply): void {
  if (content.trim() || toolCalls?.length) return;
  throw new ModelError(
    "empty",
    stopReason === "max_tokens"
      ? "The answer is empty: the model reached its output limit before saying anything (raise maxOutput)"
      : "The answer is empty: the model said nothing and called no tool",
  );
}

function assistantMessage(
  { record, model }: TurnHost,
  reply: ModelReply,
  toolCalls: readonly ToolCall[],
  id: string,
): AssistantMessage {
  const { content, thought, stopReason, usage, provider } = reply;
  if (usage) {
    record.show({
      type: "usage",
      used: usage.input + usage.output,
      ...(model.contextWindow && { size: model.contextWindow }),
    });
  }
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

/** The turn took as many model calls as it may. */
class RoundLimit extends Error {}

/** Stops a model that makes the same call again and again. */
class Repeats {
  readonly #max: number;
  #last = "";
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  check({ name, arguments: input }: ToolCall): void {
    const key = `${name} ${JSON.stringify(input)}`;
    this.#count = key === this.#last ? this.#count + 1 : 1;
    this.#last = key;
    if (this.#count > this.#max) {
      throw new Error(
        `Stopped: the model called ${name} ${this.#count} times in a row with the same arguments`,
      );
    }
  }
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
  return { status: "failed", reason, ...(failure && { failure }) };
}

function systemPrompt({ kit, roots, record }: TurnHost): string {
  return kit.system(roots[0] ?? record.state.cwd);
}

function newId(): string {
  return `m-${randomHex(12)}`;
}
