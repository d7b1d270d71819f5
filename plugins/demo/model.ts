import { ModelError } from "../../core/error.ts";
import { sleep } from "../../core/http/retry.ts";
import { contentText } from "../../core/message.ts";
import type {
  Model,
  ModelDelta,
  ModelReply,
  ModelRequest,
} from "../../core/model.ts";
import { type Act, answer } from "./answer.ts";

/** Does simple things it is told, word by word; see `HELP`. Nothing leaves the machine. */
export class DemoModel implements Model {
  readonly name = "demo";
  readonly contextWindow = 32_000;
  readonly notice =
    "This is the built-in demo model, not a real AI: it follows simple requests (type help). Run mm init to use a real model";
  #delay: number;

  constructor({ delay }: { readonly delay: number }) {
    this.#delay = delay;
  }

  async *stream(
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelDelta, ModelReply> {
    signal.throwIfAborted();
    const act = answer(request);
    if (act.fail) {
      throw new ModelError("http", "The demo model failed, as you asked", {
        raw: "Raw details of a failure would stand here.",
      });
    }
    yield* this.#say("thought", act.thought ?? "", signal);
    yield* this.#say("text", act.text, signal);
    return reply(request, act);
  }

  models(_signal: AbortSignal): Promise<readonly string[]> {
    return Promise.resolve([this.name]);
  }

  async *#say(
    type: "text" | "thought",
    text: string,
    signal: AbortSignal,
  ): AsyncGenerator<ModelDelta> {
    for (const word of text.match(/\s*\S+\s*$|\s*\S+/g) ?? []) {
      if (this.#delay > 0) await sleep(this.#delay, signal);
      signal.throwIfAborted();
      yield { type, text: word };
    }
  }
}

function reply(request: ModelRequest, act: Act): ModelReply {
  const { text, thought, call } = act;
  return {
    content: text,
    ...thought !== undefined && { thought },
    ...call && { toolCalls: [call] },
    stopReason: call ? "tool_use" : "end_turn",
    usage: {
      input: tokens(
        request.messages.map(({ content }) => contentText(content)),
      ),
      output: tokens([text, thought ?? "", JSON.stringify(call ?? "")]),
    },
  };
}

// The usual rule of thumb: four characters a token.
function tokens(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / 4);
}
