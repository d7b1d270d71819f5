import type { Message, StopReason, ToolCall, Usage } from "./message.ts";

/** A tool as the model sees it. `parameters` is a JSON Schema of type object. */
export interface ToolSpec {
  /** What the model calls it by. */
  readonly name: string;
  /** What the model is told of it. */
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** One call of a model. The system prompt is the first message, a summary is never in it. */
export interface ModelRequest {
  /** The conversation, in an order any API accepts. */
  readonly messages: readonly Message[];
  /** What it may call. */
  readonly tools: readonly ToolSpec[];
}

/** What a model says while it answers. */
export type ModelDelta =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thought"; readonly text: string }
  /** Nothing was shown yet; the same request is sent again after `waitMs`. */
  | {
    readonly type: "retry";
    readonly reason: string;
    readonly waitMs: number;
  };

/** A whole answer. */
export interface ModelReply {
  /** What it says; empty when it only calls. */
  readonly content: string;
  /** What it thought aloud. */
  readonly thought?: string;
  /** What it calls. */
  readonly toolCalls?: readonly ToolCall[];
  /** Why it stopped. */
  readonly stopReason: Exclude<StopReason, "cancelled">;
  /** What it cost, when the server tells. */
  readonly usage?: Usage;
  /** Opaque data this model needs to see again with the message (signatures). */
  readonly provider?: unknown;
}

/** How much a model thinks before it answers. */
export interface ThoughtLevel {
  /** The one it is set to. */
  readonly level: string;
  /** The levels there are, from little to much. */
  readonly levels: readonly string[];
  /** The same model at another level; for one session, the rest stays as it is. */
  at(level: string): Model;
}

/** Something that continues a conversation. */
export interface Model {
  /** The model's own name, as the server knows it. */
  readonly name: string;
  /** Window in tokens; undefined when unknown. */
  readonly contextWindow?: number;
  /** Content blocks it takes besides text. Default: none. */
  readonly accepts?: { readonly image?: boolean; readonly audio?: boolean };
  /** How much it thinks, where that can be chosen. */
  readonly thought?: ThoughtLevel;
  /** Why no call can succeed before the user acts (no API key); one line. */
  readonly problem?: string | undefined;
  /** Shown once at start: what is special about this model. */
  readonly notice?: string;
  /**
   * Yields deltas, returns the message. Throws ModelError when there is no
   * complete answer, and the signal's reason when aborted.
   */
  stream(
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelDelta, ModelReply>;
  /** Names of the models the server offers. Throws ModelError when it cannot be asked. */
  models?(signal: AbortSignal): Promise<readonly string[]>;
}
