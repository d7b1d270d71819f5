import { ModelError } from "../../core/error.ts";
import { type Answer, answers } from "../../core/http/answer.ts";
import { Exchange, type Server } from "../../core/http/exchange.ts";
import { complaint, lineOf } from "../../core/http/fault.ts";
import { at, numberAt, textAt } from "../../core/json.ts";
import { serverOf, type ServerOptions } from "../../core/http/options.ts";
import { retrying, type RetryPolicy } from "../../core/http/retry.ts";
import type {
  Model,
  ModelDelta,
  ModelReply,
  ModelRequest,
  ThoughtLevel,
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
  /** What it takes besides text. */
  readonly accepts?: readonly ("image" | "audio")[] | undefined;
}

const LEVELS = ["low", "medium", "high"];

/** A model behind an OpenAI-compatible chat-completions server. */
export class OpenAiModel implements Model {
  readonly contextWindow?: number;
  readonly accepts: { readonly image: boolean; readonly audio: boolean };
  readonly thought?: ThoughtLevel;
  #server: Server;
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
    const { accepts = official ? ["image"] : [], reasoning } = options;
    this.accepts = {
      image: accepts.includes("image"),
      audio: accepts.includes("audio"),
    };
    if (reasoning === undefined) return;
    this.thought = {
      level: reasoning,
      levels: [...new Set([...LEVELS, reasoning])],
      at: (level) =>
        new OpenAiModel({ ...options, reasoning: level }, host, timing),
    };
  }

  get problem(): string | undefined {
    const { official } = this.#options;
    if (!official || this.#server.headers.authorization) return undefined;
    return lineOf(this.#server, "no API key", this.#server.keyHint);
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
    try {
      yield* this.#read(http, reply);
    } catch (error) {
      if (!reply.finished || !isLost(error)) throw error;
      // The answer is complete: only its end mark is missing.
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
    if (flaw) throw http.flawed(flaw);
    return reply.finish(idsOf(request));
  }

  async *#read(http: Exchange, reply: Reply): AsyncGenerator<ModelDelta> {
    for await (const answer of answers(http)) {
      if (answer.type === "done") return;
      this.#complain(answer);
      if (
        answer.type === "whole" && at(answer.value, "choices", 0) === undefined
      ) {
        throw http.protocol("JSON without choices");
      }
      yield* reply.add(answer.value);
    }
  }

  // An error object may stand in a chunk, in a 200 answer, or be an event of its own.
  #complain(answer: Exclude<Answer, { type: "done" }>): void {
    const { value } = answer;
    const own = at(value, "error");
    const bare = at(value, "object") === "error" || // vLLM
      answer.type === "event" && answer.name === "error";
    if (!own && !bare) return;
    const status = statusOf(own || value);
    throw complaint(this.#server, {
      ...status !== undefined && { status },
      label: answer.type === "whole" ? "error" : "error in the stream",
      body: JSON.stringify(value),
    });
  }

  #needKey(): void {
    if (this.problem) throw new ModelError("auth", this.problem);
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

function isLost(error: unknown): boolean {
  return error instanceof ModelError &&
    (error.kind === "network" || error.kind === "watchdog");
}

// What an error in a stream would have been as an HTTP status.
function statusOf(error: unknown): number | undefined {
  const number = numberAt(error, "code") ?? numberAt(error, "status");
  if (number !== undefined) return number;
  const word = `${textAt(error, "code")} ${textAt(error, "type")}`;
  if (/rate_limit/.test(word)) return 429;
  return /overloaded|server_error|unavailable/.test(word) ? 503 : undefined;
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
