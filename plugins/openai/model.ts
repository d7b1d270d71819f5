import { ModelError } from "../../core/error.ts";
import { answers } from "../../core/http/answer.ts";
import { Exchange, type Server } from "../../core/http/exchange.ts";
import { complaint, lineOf } from "../../core/http/fault.ts";
import { at, numberAt } from "../../core/http/json.ts";
import { serverOf, type ServerOptions } from "../../core/http/options.ts";
import { retrying, type RetryPolicy } from "../../core/http/retry.ts";
import type {
  Model,
  ModelDelta,
  ModelReply,
  ModelRequest,
} from "../../core/model.ts";
import type { PluginHost } from "../../core/plugin.ts";
import { Reply } from "./reply.ts";
import { requestBody, type RequestOptions } from "./request.ts";

/** The options of agent.yaml, checked. */
export interface OpenAiOptions
  extends ServerOptions, Omit<RequestOptions, "official"> {
  readonly name?: string | undefined;
  readonly contextWindow?: number | undefined;
  readonly retries: number;
}

/** A model behind an OpenAI-compatible chat-completions server. */
export class OpenAiModel implements Model {
  readonly contextWindow?: number;
  #server: Server & { readonly key: string | undefined };
  #name: string | undefined;
  #options: RequestOptions;
  #policy: RetryPolicy;

  /** `timing` makes retries fast and even in tests. */
  constructor(
    options: OpenAiOptions,
    host: Pick<PluginHost, "env" | "now">,
    timing: Omit<RetryPolicy, "retries"> = {},
  ) {
    const official = isOfficial(options.baseURL);
    this.#server = serverOf(options, host, {
      variable: official ? "OPENAI_API_KEY" : undefined,
      header: (key) => ({ authorization: `Bearer ${key}` }),
      dial: (path) =>
        Deno.createHttpClient({ proxy: { transport: "unix", path } }),
    });
    this.#name = options.name;
    this.#options = { ...options, official };
    this.#policy = { now: host.now, ...timing, retries: options.retries };
    if (options.contextWindow) this.contextWindow = options.contextWindow;
  }

  /** `auto` until the server was asked for its first model. */
  get name(): string {
    return this.#name ?? "auto";
  }

  stream(
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelDelta, ModelReply> {
    return retrying(
      () => this.#attempt(request, signal),
      this.#policy,
      signal,
    );
  }

  async models(signal: AbortSignal): Promise<readonly string[]> {
    const { listModels } = await import("../../core/http/listing.ts");
    return (await listModels(this.#server, signal)).map(({ id }) => id);
  }

  async *#attempt(
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelDelta, ModelReply> {
    this.#needKey();
    this.#name ??= await this.#firstModel(signal);
    const body = requestBody(this.#name, request, this.#options);
    await using http = await Exchange.open(
      this.#server,
      "/chat/completions",
      body,
      signal,
    );
    await http.expectOk((status, text) => this.#hint(status, text, signal));
    const reply = new Reply();
    for await (const answer of answers(http)) {
      if (answer.type === "done") break;
      this.#complain(answer);
      if (
        answer.type === "whole" && at(answer.value, "choices", 0) === undefined
      ) {
        throw http.protocol("JSON without choices");
      }
      yield* reply.add(answer.value);
    }
    yield* reply.end();
    if (reply.finished === "") {
      throw http.protocol(
        reply.started
          ? "the answer was cut off: no finish_reason"
          : "the answer was empty: no finish_reason",
      );
    }
    if (reply.finished === "error") throw http.protocol("the model failed");
    const flaw = reply.flaw();
    if (flaw) {
      const line = lineOf(this.#server, flaw.what, flaw.hint);
      throw new ModelError(flaw.kind, line, { raw: http.head });
    }
    return reply.finish(idsOf(request));
  }

  // An error object may stand in a chunk, in a 200 answer, or be an event of its own.
  #complain(answer: { type: string; name?: string; value?: unknown }): void {
    const { value, name } = answer;
    const error = name === "error"
      ? at(value, "error") ?? value
      : at(value, "error");
    const bare = at(value, "object") === "error"; // vLLM
    if (!error && !bare) return;
    const code = numberAt(error ?? value, "code") ??
      numberAt(error ?? value, "status");
    throw complaint(this.#server, {
      ...code !== undefined && { status: code },
      label: answer.type === "whole" ? "error" : "error in the stream",
      body: JSON.stringify(value),
    });
  }

  #needKey(): void {
    const { official } = this.#options;
    if (!official || this.#server.key) return;
    throw new ModelError(
      "auth",
      lineOf(this.#server, "no API key", this.#server.keyHint),
    );
  }

  async #firstModel(signal: AbortSignal): Promise<string> {
    const names = await this.models(signal);
    const name = names.find((n) => !/embed|rerank|whisper|tts|bge/i.test(n));
    if (name !== undefined) return name;
    throw new ModelError(
      "http",
      lineOf(this.#server, "it offers no model", "load one, or set its name"),
    );
  }

  async #hint(
    status: number,
    body: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const missing =
      /model.{0,80}(not found|not exist|not loaded)|model_not_found/i
        .test(body);
    if (status !== 404 && !(status === 400 && missing)) return undefined;
    const { missingModelHint } = await import("../../core/http/listing.ts");
    const hint = await missingModelHint(this.#server, this.name, signal);
    return hint ?? (missing ? undefined : "check baseURL");
  }
}

function isOfficial(baseURL: string): boolean {
  return /^https:\/\/([a-z]+\.)?api\.openai\.com(\/|$)/.test(baseURL);
}

function idsOf({ messages }: ModelRequest): ReadonlySet<string> {
  return new Set(
    messages.flatMap((m) =>
      m.role === "assistant" ? (m.toolCalls ?? []).map(({ id }) => id) : []
    ),
  );
}
