import type { Flaw } from "../../core/http/fault.ts";
import { at, listAt, numberAt, textAt } from "../../core/json.ts";
import { parseArguments } from "../../core/http/prompt.ts";
import { randomHex } from "../../core/id.ts";
import type { StopReason, ToolCall, Usage } from "../../core/message.ts";
import type { ModelDelta, ModelReply } from "../../core/model.ts";
import type { Block, SignedThinking } from "./thinking.ts";

interface Draft {
  readonly type: string;
  readonly start: unknown;
  text: string;
  signature: string;
}

/** Puts an answer together from the events of a Messages stream. */
export class Reply {
  #drafts = new Map<number, Draft>();
  #usage: Record<string, number> = {};
  #stop = "";
  #done = false;

  /** The server's word for why it stopped; empty while it has not. */
  get stopped(): string {
    return this.#stop;
  }

  /** True after `message_stop`, or a whole message. */
  get done(): boolean {
    return this.#done;
  }

  get started(): boolean {
    return this.#drafts.size > 0;
  }

  /** Takes one event. Types it does not know change nothing. */
  *add(event: unknown): Generator<ModelDelta> {
    switch (textAt(event, "type")) {
      case "message_start":
        return this.#count(at(event, "message", "usage"));
      case "content_block_start":
        return yield* this.#start(
          numberAt(event, "index") ?? this.#drafts.size,
          at(event, "content_block"),
        );
      case "content_block_delta":
        return yield* this.#delta(
          numberAt(event, "index") ?? this.#drafts.size - 1,
          at(event, "delta"),
        );
      case "message_delta":
        this.#stop = textAt(event, "delta", "stop_reason") || this.#stop;
        return this.#count(at(event, "usage"));
      case "message_stop":
        this.#done = true;
        return;
      case "message":
        return yield* this.#whole(event);
    }
  }

  /** What no answer may be, in words; undefined when it is a good one. */
  flaw(): Flaw | undefined {
    const calls = this.#of("tool_use");
    if (calls.some(({ start }) => textAt(start, "name") === "")) {
      return { kind: "protocol", what: "a tool call without a name" };
    }
    if (calls.length > 0 || this.#content().trim() !== "") return undefined;
    switch (this.#stop) {
      case "max_tokens":
      case "model_context_window_exceeded":
        return {
          kind: "empty",
          what: "the output limit was reached before any text",
          hint: "raise maxOutput",
        };
      case "refusal":
        return { kind: "empty", what: "the model refused to answer" };
      default:
        return { kind: "empty", what: "the model gave an empty answer" };
    }
  }

  /** The whole answer of `model`. */
  finish(model: string): ModelReply {
    const calls = this.#of("tool_use").map(call);
    const thought = this.#of("thinking").map(({ text }) => text).join("\n\n");
    const provider = this.#signed(model);
    return {
      content: this.#content(),
      ...thought !== "" && { thought },
      ...calls.length > 0 && { toolCalls: calls },
      stopReason: calls.length > 0 ? "tool_use" : stopReason(this.#stop),
      usage: this.#total(),
      ...provider.thinking.length > 0 && { provider },
    };
  }

  *#start(index: number, block: unknown): Generator<ModelDelta> {
    const type = textAt(block, "type");
    const draft = { type, start: block, text: "", signature: "" };
    this.#drafts.set(index, draft);
    draft.signature = textAt(block, "signature");
    yield* this.#show(
      draft,
      textAt(block, type === "thinking" ? "thinking" : "text"),
    );
  }

  *#delta(index: number, delta: unknown): Generator<ModelDelta> {
    const draft = this.#drafts.get(index);
    if (!draft) return;
    draft.signature += textAt(delta, "signature");
    if (draft.type === "tool_use") draft.text += textAt(delta, "partial_json");
    else {
      yield* this.#show(
        draft,
        textAt(delta, "text") || textAt(delta, "thinking"),
      );
    }
  }

  *#show(draft: Draft, text: string): Generator<ModelDelta> {
    if (text === "") return;
    draft.text += text;
    if (draft.type === "text") yield { type: "text", text };
    if (draft.type === "thinking") yield { type: "thought", text };
  }

  *#whole(message: unknown): Generator<ModelDelta> {
    this.#count(at(message, "usage"));
    for (const [index, block] of listAt(message, "content").entries()) {
      yield* this.#start(index, block);
    }
    this.#stop = textAt(message, "stop_reason");
    this.#done = true;
  }

  #count(usage: unknown): void {
    for (const [name, value] of Object.entries(usage ?? {})) {
      if (typeof value === "number") this.#usage[name] = value;
    }
  }

  #total(): Usage {
    const {
      input_tokens = 0,
      output_tokens = 0,
      cache_read_input_tokens: cached = 0,
      cache_creation_input_tokens: created = 0,
    } = this.#usage;
    return {
      input: input_tokens + cached + created,
      output: output_tokens,
      cached,
    };
  }

  #of(type: string): Draft[] {
    return [...this.#drafts.values()].filter((draft) => draft.type === type);
  }

  #content(): string {
    return this.#of("text").map(({ text }) => text).join("");
  }

  #signed(model: string): SignedThinking {
    const thinking = [...this.#drafts.values()].flatMap((draft): Block[] => {
      const { type, text, signature, start } = draft;
      if (type === "redacted_thinking") {
        return [{ type, data: textAt(start, "data") }];
      }
      return type === "thinking" && signature !== ""
        ? [{ type, thinking: text, signature }]
        : [];
    });
    return { anthropic: model, thinking };
  }
}

function call({ start, text }: Draft): ToolCall {
  return {
    id: textAt(start, "id") || `toolu_${randomHex(12)}`,
    name: textAt(start, "name"),
    // A whole message has the input in place, a stream has it in pieces.
    arguments: text === "" ? at(start, "input") ?? {} : parseArguments(text),
  };
}

function stopReason(
  stop: string,
): Exclude<StopReason, "cancelled" | "tool_use"> {
  switch (stop) {
    case "max_tokens":
    case "model_context_window_exceeded":
      return "max_tokens";
    case "refusal":
      return "refusal";
    default: // end_turn, stop_sequence, pause_turn
      return "end_turn";
  }
}
