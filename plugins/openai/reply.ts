import type { Flaw } from "../../core/http/fault.ts";
import { at, listAt, numberAt, textAt } from "../../core/json.ts";
import type { StopReason, Usage } from "../../core/message.ts";
import type { ModelDelta, ModelReply } from "../../core/model.ts";
import { Calls } from "./calls.ts";
import { type Piece, ThinkSplitter } from "./think.ts";

/** Puts an answer together from the chunks of a chat completion. */
export class Reply {
  #content = "";
  #thought = "";
  #calls = new Calls();
  #tags = new ThinkSplitter();
  #usage: Usage | undefined;
  #finish = "";

  /** The server's word for why it stopped; empty while it has not. */
  get finished(): string {
    return this.#finish;
  }

  /** True once anything of an answer arrived. */
  get started(): boolean {
    return this.#content !== "" || this.#thought !== "" ||
      this.#calls.length > 0;
  }

  /** Takes one chunk, or a whole completion: it has `message` for `delta`. */
  *add(chunk: unknown): Generator<ModelDelta> {
    this.#usage = usageOf(at(chunk, "usage")) ?? this.#usage;
    const choice = at(chunk, "choices", 0);
    const delta = at(choice, "delta") ?? at(choice, "message");
    const thought = textAt(delta, "reasoning_content") ||
      textAt(delta, "reasoning");
    yield* this.#show([
      { type: "thought", text: thought },
      ...contentPieces(at(delta, "content")).flatMap((piece) =>
        piece.type === "text" ? this.#tags.add(piece.text) : [piece]
      ),
      { type: "text", text: textAt(delta, "refusal") },
    ]);
    for (const piece of listAt(delta, "tool_calls")) this.#calls.add(piece);
    this.#finish = textAt(choice, "finish_reason") || this.#finish;
  }

  /** What the tag splitter still held. */
  *end(): Generator<ModelDelta> {
    yield* this.#show(this.#tags.end());
  }

  /** What no answer may be, in words; undefined when it is a good one. */
  flaw(): Flaw | undefined {
    if (this.#calls.nameless) {
      return { kind: "protocol", what: "a tool call without a name" };
    }
    if (this.#content.trim() !== "" || this.#calls.length > 0) return undefined;
    const kind = "empty";
    switch (this.#finish) {
      case "length":
        return {
          kind,
          what: this.#thought
            ? "the output limit was reached while thinking"
            : "the output limit was reached before any text",
          hint: "raise maxOutput or the model's context window",
        };
      case "content_filter":
        return { kind, what: "the server's content filter stopped the answer" };
      default:
        return {
          kind,
          what: this.#thought
            ? "the model thought but gave no answer"
            : "the model gave an empty answer",
        };
    }
  }

  /** The whole answer. `taken` are the tool call ids in use. */
  finish(taken: ReadonlySet<string>): ModelReply {
    const calls = this.#calls.finish(taken);
    return {
      content: this.#content,
      ...this.#thought !== "" && { thought: this.#thought },
      ...calls.length > 0 && { toolCalls: calls },
      stopReason: calls.length > 0 ? "tool_use" : stopReason(this.#finish),
      ...this.#usage && { usage: this.#usage },
    };
  }

  *#show(pieces: readonly Piece[]): Generator<ModelDelta> {
    for (const piece of pieces) {
      if (piece.text === "") continue;
      if (piece.type === "text") this.#content += piece.text;
      else this.#thought += piece.text;
      yield piece;
    }
  }
}

// A string, or (Mistral) a list of parts, thinking among them.
function contentPieces(content: unknown): Piece[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return listAt(content).flatMap((part): Piece[] =>
    textAt(part, "type") === "thinking"
      ? listAt(part, "thinking").map((t) => ({
        type: "thought",
        text: textAt(t, "text"),
      }))
      : [{ type: "text", text: textAt(part, "text") }]
  );
}

function usageOf(usage: unknown): Usage | undefined {
  const input = numberAt(usage, "prompt_tokens");
  if (input === undefined) return undefined;
  const cached = numberAt(usage, "prompt_tokens_details", "cached_tokens") ??
    numberAt(usage, "prompt_cache_hit_tokens");
  return {
    input,
    output: numberAt(usage, "completion_tokens") ?? 0,
    ...cached !== undefined && { cached },
  };
}

function stopReason(
  finish: string,
): Exclude<StopReason, "cancelled" | "tool_use"> {
  switch (finish) {
    case "length":
      return "max_tokens";
    case "content_filter":
      return "refusal";
    default:
      return "end_turn";
  }
}
