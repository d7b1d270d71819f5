import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { Update } from "../../../core/event.ts";
import type { SessionState } from "../../../core/fold.ts";
import type {
  AssistantMessage,
  Message,
  ToolCall,
  ToolMessage,
} from "../../../core/message.ts";
import { textChunk, userChunks } from "./chunk.ts";
import { noticeUpdate } from "./notice.ts";
import { isPlan, planUpdate } from "./plan.ts";
import type { Shows } from "./shows.ts";
import { summaryUpdate } from "./summary.ts";
import {
  type Announced,
  endedCall,
  pendingCall,
  runningCall,
  wholeCall,
} from "./tool.ts";

/** What a listener needs to know besides the update. */
export interface LiveOptions {
  readonly shows: Shows;
  /** The conversation, the update included. */
  readonly state: () => SessionState;
  /** The model's window, where it is known. */
  readonly window: () => number | undefined;
  /** True for a message the client itself sent: it shows that already. */
  readonly isOwn: (message: Message) => boolean;
}

/** Turns what a session tells into what a client shows. It remembers what is half said. */
export class LiveView {
  readonly #options: LiveOptions;
  readonly #calls = new Map<string, RunningCall>();
  #said = nothing();
  #title = "";
  // Attached in mid-answer: its beginning is unknown, so it is shown when it is whole.
  #deaf: boolean;

  constructor(options: LiveOptions, running: boolean) {
    this.#options = options;
    this.#deaf = running;
    this.#title = options.state().title;
  }

  /** What to show for `update`. */
  updates(update: Update): SessionUpdate[] {
    switch (update.type) {
      case "text":
      case "thought":
        return this.#delta(update);
      case "tool_started":
        if (this.#calls.has(update.call.id)) return []; // told before it failed
        this.#calls.set(update.call.id, { ...update, status: "pending" });
        return isPlan(update.call) ? [] : [started(update)];
      case "tool_running":
        return this.#running(update.toolCallId, "");
      case "tool_output":
        return this.#running(update.toolCallId, update.text);
      case "message":
        return [...this.#message(update.message), ...this.#titled()];
      case "compacted": {
        const id = `summary-${update.seq}`;
        return [summaryUpdate(id, update.summary, this.#options.shows)];
      }
      case "failed":
        // Of a turn that failed, the answer to the prompt tells.
        return update.kind === "generation"
          ? []
          : [noticeUpdate("error", update.line, this.#options.shows)];
      case "settled":
      case "withdrawn":
        this.#said = nothing();
        this.#calls.clear();
        return [this.#info({})];
      case "titled":
        return this.#titled();
      case "rotated":
        this.#title = "";
        return [this.#info({ title: null }), ...this.#usage(0)];
      case "usage":
        return this.#usage(update.used);
      case "notice":
        return [noticeUpdate(update.level, update.text, this.#options.shows)];
      case "moved":
        return [
          noticeUpdate(
            "warning",
            `Another program changed this conversation; it goes on as ${update.to}`,
            this.#options.shows,
          ),
        ];
      default:
        return [];
    }
  }

  /** What is under way and in no record yet: shown again after a replay. */
  unfinished(): SessionUpdate[] {
    const { id, text, thought } = this.#said;
    return [
      ...(thought ? [textChunk("agent_thought_chunk", id, thought)] : []),
      ...(text ? [textChunk("agent_message_chunk", id, text)] : []),
      ...[...this.#calls.values()]
        .filter(({ call }) => !isPlan(call))
        .flatMap((call) =>
          call.status === "pending"
            ? [started(call)]
            : [started(call), runningCall(call, call.output)]
        ),
    ];
  }

  #delta(
    { type, messageId: id, text }: Update & { type: "text" | "thought" },
  ): SessionUpdate[] {
    if (this.#deaf || text === "") return [];
    if (this.#said.id !== id) this.#said = { ...nothing(), id };
    this.#said[type] += text;
    return [textChunk(ROLE[type], id, text)];
  }

  #running(id: string, text: string): SessionUpdate[] {
    const call = this.#calls.get(id);
    if (!call) return [];
    call.status = "in_progress";
    call.output = `${call.output ?? ""}${text}`.slice(-TAIL).toWellFormed();
    return isPlan(call.call) ? [] : [runningCall(call, call.output)];
  }

  #message(message: Message): SessionUpdate[] {
    this.#deaf = false;
    switch (message.role) {
      case "user":
        if (this.#options.isOwn(message)) return [];
        return userChunks(message.id, message.content);
      case "assistant":
        return this.#answer(message);
      case "tool":
        return this.#result(message);
      case "system":
        return [];
    }
  }

  // Most was shown as it was said.
  #answer({ id, thought = "", content }: AssistantMessage): SessionUpdate[] {
    const said = this.#said.id === id ? this.#said : nothing();
    this.#said = nothing();
    return [
      ...rest("thought", id, thought, said.thought),
      ...rest("text", id, content, said.text),
    ];
  }

  #result(result: ToolMessage): SessionUpdate[] {
    const known = this.#calls.get(result.toolCallId);
    this.#calls.delete(result.toolCallId);
    const call = known?.call ?? this.#callOf(result);
    if (!isPlan(call)) {
      return [known ? endedCall(known, result) : wholeCall(call, result)];
    }
    const plan = planUpdate(call, result);
    return plan ? [plan] : [];
  }

  #callOf({ toolCallId: id, name }: ToolMessage): ToolCall {
    const calls = this.#options.state().messages.flatMap((m) =>
      m.role === "assistant" ? m.toolCalls ?? [] : []
    );
    return calls.find((c) => c.id === id) ?? { id, name, arguments: {} };
  }

  #titled(): SessionUpdate[] {
    const { title } = this.#options.state();
    if (title === this.#title || title === "") return [];
    this.#title = title;
    return [this.#info({ title })];
  }

  #info(more: { title?: string | null }): SessionUpdate {
    const { updatedAt } = this.#options.state();
    return {
      sessionUpdate: "session_info_update",
      ...more,
      ...(updatedAt && { updatedAt }),
    };
  }

  #usage(used: number): SessionUpdate[] {
    const size = this.#options.window();
    return size ? [{ sessionUpdate: "usage_update", used, size }] : [];
  }
}

type RunningCall = Announced & {
  status: "pending" | "in_progress";
  output?: string;
};

const ROLE = {
  text: "agent_message_chunk",
  thought: "agent_thought_chunk",
} as const;

/** Characters of a running tool's output that are shown. */
const TAIL = 8 * 1024;

function nothing(): { id: string; text: string; thought: string } {
  return { id: "", text: "", thought: "" };
}

function started(announced: Announced): SessionUpdate {
  return { sessionUpdate: "tool_call", ...pendingCall(announced) };
}

// A text that is not what was shown so far cannot be taken back: it is shown whole.
function rest(
  type: "text" | "thought",
  id: string,
  whole: string,
  said: string,
): SessionUpdate[] {
  const left = whole.startsWith(said) ? whole.slice(said.length) : whole;
  return left ? [textChunk(ROLE[type], id, left)] : [];
}
