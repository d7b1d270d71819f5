import type {
  Model,
  ModelDelta,
  ModelReply,
  ModelRequest,
} from "../core/model.ts";
import type { ToolCall } from "../core/message.ts";

/** One answer of a scripted model: text, a whole reply, an error, or a function of the request. */
export type Step =
  | string
  | Error
  | Partial<ModelReply>
  | ((
    request: ModelRequest,
    signal: AbortSignal,
  ) => Step | Promise<Step>);

/** A model that says what the test wrote, in order; past the end it fails. */
export class ScriptedModel implements Model {
  readonly name = "scripted";
  readonly contextWindow?: number;
  readonly requests: ModelRequest[] = [];
  readonly #steps: Step[];

  constructor(steps: readonly Step[], contextWindow?: number) {
    this.#steps = [...steps];
    if (contextWindow !== undefined) this.contextWindow = contextWindow;
  }

  async *stream(
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelDelta, ModelReply> {
    this.requests.push(request);
    let step = this.#steps.shift() ?? new Error("The script is at its end");
    while (typeof step === "function") step = await step(request, signal);
    if (step instanceof Error) throw step;
    signal.throwIfAborted();
    const reply = typeof step === "string" ? { content: step } : step;
    const { content = "", toolCalls = [] } = reply;
    for (const word of content.split(/(?<= )/).filter(Boolean)) {
      yield { type: "text", text: word };
      await Promise.resolve();
      signal.throwIfAborted();
    }
    const stopReason = toolCalls.length > 0 ? "tool_use" : "end_turn";
    return { stopReason, ...reply, content };
  }
}

let calls = 0;

/** A tool call with a fresh id. */
export function call(name: string, input: unknown = {}): ToolCall {
  return { id: `call-${++calls}`, name, arguments: input };
}
