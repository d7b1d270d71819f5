import { object, optional, string } from "zod/mini";
import { Agent, type AgentOptions } from "../../core/agent.ts";
import type { EventDraft, SessionEvent, Update } from "../../core/event.ts";
import { empty, fold, type SessionState } from "../../core/fold.ts";
import { MemoryStore } from "../../core/memory_store.ts";
import { contentText } from "../../core/message.ts";
import type { Session } from "../../core/session.ts";
import { defineTool, type Tool, type ToolResult } from "../../core/tool.ts";
import { ScriptedModel, type Step } from "../scripted_model.ts";

/** A memory store that counts, remembers what it was given, and fails when told to. */
export class SpyStore extends MemoryStore {
  readonly appends: (readonly SessionEvent[])[] = [];
  /** Thrown by the next appends, one each; `undefined` lets one pass. */
  readonly failures: (Error | undefined)[] = [];

  override async append(
    id: string,
    events: readonly SessionEvent[],
  ): Promise<void> {
    await Promise.resolve();
    const failure = this.failures.shift();
    if (failure) throw failure;
    await super.append(id, events);
    this.appends.push(events);
  }

  /** Every event written, in order. */
  get log(): readonly SessionEvent[] {
    return this.appends.flat();
  }
}

/** A clock that ticks a second at each look. */
export function clock(start = "2026-09-16T10:15:30.000Z"): () => Date {
  let at = Date.parse(start);
  return () => new Date(at += 1000);
}

/** One agent on a scripted model, and its first session. */
export interface Talk extends AsyncDisposable {
  readonly agent: Agent;
  readonly session: Session;
  readonly model: ScriptedModel;
  readonly store: SpyStore;
  /** All the session told since it opened. */
  readonly updates: Update[];
}

/** Opens a session on a model that says `steps`. Approvals are for the test to decide. */
export function talk(
  steps: readonly Step[],
  options: Partial<AgentOptions> & {
    readonly window?: number;
    readonly approves?: boolean;
  } = {},
): Talk {
  const { window, approves = true, ...rest } = options;
  const model = new ScriptedModel(steps, window);
  const store = new SpyStore();
  const agent = new Agent({
    cwd: "/project",
    model,
    store,
    now: clock(),
    bundles: [{ tools: Object.values(tools()) }],
    ...rest,
  });
  const session = agent.create();
  const updates: Update[] = [];
  session.subscribe((update) => void updates.push(update), { approves });
  return {
    agent,
    session,
    model,
    store,
    updates,
    [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
  };
}

/** The tools of a test: `look` is read-only, `change` edits, `run` is asked each time or by scope. */
export function tools(
  work: (text: string, signal: AbortSignal) => Promise<ToolResult> = (text) =>
    Promise.resolve({ content: `did ${text}` }),
): { look: Tool; change: Tool; run: Tool } {
  const input = object({ text: string(), scope: optional(string()) });
  return {
    look: defineTool({
      name: "look",
      description: "Looks",
      kind: "read",
      input,
      plan: ({ text }) => ({ title: `Look ${text}`, access: "auto" }),
      run: ({ text }, { signal }) => work(text, signal),
    }),
    change: defineTool({
      name: "change",
      description: "Changes",
      kind: "edit",
      input,
      plan: ({ text }) => ({
        title: `Change ${text}`,
        access: "edit",
        diffs: [{ path: `/project/${text}`, oldText: null, newText: text }],
      }),
      run: ({ text }, { signal }) => work(text, signal),
    }),
    run: defineTool({
      name: "run",
      description: "Runs",
      kind: "execute",
      input,
      plan: ({ text, scope }) => ({
        title: `Run ${text}`,
        access: "ask",
        ...(scope !== undefined && { scope }),
      }),
      run: ({ text }, { signal }) => work(text, signal),
    }),
  };
}

/** The fold of `drafts`, numbered from 1. */
export function stateOf(
  drafts: readonly EventDraft[],
  from: SessionState = empty(),
): SessionState {
  const at = "2026-09-16T10:15:30.000Z";
  return drafts
    .map((draft, i) => ({ ...draft, seq: from.seq + i + 1, at }))
    .reduce(fold, from);
}

/** The conversation as short lines: `user: hi`, `assistant: …`, `tool look: …`. */
export function lines(state: SessionState): string[] {
  return state.messages
    .filter((m) => m.role !== "system" || m.summary)
    .map((m) =>
      m.role === "tool"
        ? `tool ${m.name}: ${m.content}`
        : `${m.role}: ${contentText(m.content)}`
    );
}

/** Resolves once an update of type `type` is told. */
export function heard(
  session: Session,
  type: Update["type"],
): Promise<Update> {
  return new Promise((resolve) => {
    const stop = session.subscribe((update) => {
      if (update.type !== type) return;
      stop();
      resolve(update);
    });
  });
}

/** A step that waits until its call is aborted, having said `text`. */
export function untilAborted(onStart?: () => void): Step {
  return (_request, signal) =>
    new Promise((_resolve, reject) => {
      const abort = () => reject(signal.reason);
      signal.addEventListener("abort", abort, { once: true });
      if (signal.aborted) abort();
      onStart?.();
    });
}
