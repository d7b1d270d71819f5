import type { Update } from "../../../core/event.ts";
import type { PartialAnswer, Question, RunningTool } from "./view.ts";

/** The end of what a running tool printed that is kept, in UTF-16 units. */
const MAX_OUTPUT = 16_000;

/** What passes while a turn runs. It says nothing of what is recorded. */
export interface Passing {
  readonly running: boolean;
  readonly partial: PartialAnswer | undefined;
  readonly tools: readonly RunningTool[];
  readonly approvals: readonly Question[];
}

/** Nothing is under way. */
export const IDLE: Passing = {
  running: false,
  partial: undefined,
  tools: [],
  approvals: [],
};

/** What passes once `update` happened: the same for a replay and for what happens now. */
export function pass(now: Passing, update: Update): Passing {
  switch (update.type) {
    case "running":
      return update.running ? { ...now, running: true } : IDLE;
    case "text":
    case "thought":
      return { ...now, partial: grown(now.partial, update) };
    case "tool_started":
      return { ...now, tools: started(now.tools, update) };
    case "tool_running":
      return changed(now, update.toolCallId, () => ({ status: "running" }));
    case "tool_output":
      return changed(now, update.toolCallId, ({ output }) => ({
        output: (output + update.text).slice(-MAX_OUTPUT),
      }));
    case "approval_asked":
      return { ...now, approvals: asked(now.approvals, update) };
    case "approval_settled":
      return {
        ...now,
        approvals: now.approvals.map((q) =>
          q.request.id === update.requestId
            ? { ...q, decision: update.decision }
            : q
        ),
      };
    case "message":
      return recorded(now, update);
    case "withdrawn":
    case "settled":
      return { ...now, partial: undefined, tools: [], approvals: [] };
    case "restored":
    case "rotated":
      return { ...IDLE, running: now.running };
    default:
      return now;
  }
}

type Of<T extends Update["type"]> = Extract<Update, { readonly type: T }>;

function grown(
  partial: PartialAnswer | undefined,
  { type, messageId, text }: Of<"text" | "thought">,
): PartialAnswer {
  const same = partial?.messageId === messageId
    ? partial
    : { messageId, text: "", thought: "" };
  return { ...same, [type]: same[type] + text };
}

// Told again when its plan failed.
function started(
  tools: readonly RunningTool[],
  { call, title, kind, locations, diffs = [] }: Of<"tool_started">,
): readonly RunningTool[] {
  const known = tools.find((t) => t.call.id === call.id);
  const tool: RunningTool = {
    ...known ?? { status: "waiting", output: "" },
    call,
    title,
    kind,
    locations,
    diffs,
  };
  return known ? tools.map((t) => t === known ? tool : t) : [...tools, tool];
}

function changed(
  now: Passing,
  id: string,
  change: (tool: RunningTool) => Partial<RunningTool>,
): Passing {
  return {
    ...now,
    tools: now.tools.map((t) => t.call.id === id ? { ...t, ...change(t) } : t),
  };
}

function asked(
  questions: readonly Question[],
  { request }: Of<"approval_asked">,
): readonly Question[] {
  return questions.some((q) => q.request.id === request.id)
    ? questions
    : [...questions, { request }];
}

function recorded(now: Passing, { message }: Of<"message">): Passing {
  switch (message.role) {
    case "assistant":
      return { ...now, partial: undefined };
    case "tool":
      return {
        ...now,
        tools: now.tools.filter((t) => t.call.id !== message.toolCallId),
      };
    default:
      return now;
  }
}
