import { ModelError } from "../../core/error.ts";
import { answers } from "../../core/http/answer.ts";
import { Exchange, type Server } from "../../core/http/exchange.ts";
import { complaint, lineOf } from "../../core/http/fault.ts";
import { at, textAt } from "../../core/json.ts";
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
export interface AnthropicOptions extends ServerOptions, RequestOptions {
  readonly name: string;
  readonly contextWindow: number;
  readonly retries: number;
}

const VERSION = "2023-06-01";

// What an error in a stream would have been as an HTTP status.
const STATUS: Readonly<Record<string, number>> = {
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  timeout_error: 504,
  api_error: 500,
  overloaded_error: 529,
};

/** A model behind Anthropic's Messages API. */
export class AnthropicModel implements Model {
  readonly name: string;
  readonly contextWindow: number;
  readonly accepts = { image: true };
  #server: Server;
  #options: AnthropicOptions;
  #policy: RetryPolicy;

  /** `timing` makes retries fast and even in tests. */
  constructor(
    options: AnthropicOptions,
    host: Pick<PluginHost, "env" | "now">,
    timing: Omit<RetryPolicy, "retries"> = {},
  ) {
    const headers = { "anthropic-version": VERSION, ...options.headers };
    this.#server = serverOf({ ...options, headers }, host, {
      variable: "ANTHROPIC_API_KEY",
      header: (key) => ({ "x-api-key": key }),
      dial: (path) =>
        Deno.createHttpClient({ proxy: { transport: "unix", path } }),
    });
    this.name = options.name;
    this.contextWindow = options.contextWindow;
    this.#options = options;
    this.#policy = { now: host.now, ...timing, retries: options.retries };
  }

  get problem(): string | undefined {
    const { headers, keyHint, address } = this.#server;
    if (headers["x-api-key"] || headers.authorization) return undefined;
    if (address.where !== "api.anthropic.com") return undefined;
    return lineOf(this.#server, "no API key", keyHint);
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
    const body = requestBody(this.name, request, this.#options);
    await using http = await Exchange.open(
      this.#server,
      "/messages",
      body,
      signal,
    );
    await http.expectOk((status) => this.#hint(status, signal));
    const reply = new Reply();
    for await (const answer of answers(http)) {
      if (answer.type === "done") break;
      this.#complain(answer.value);
      if (
        answer.type === "whole" && textAt(answer.value, "type") !== "message"
      ) {
        throw http.protocol("JSON without a message");
      }
      yield* reply.add(answer.value);
      if (reply.done) break;
    }
    if (!reply.done || reply.stopped === "") {
      throw http.protocol(
        reply.started
          ? "the answer was cut off: no stop_reason"
          : "the answer was empty: no stop_reason",
      );
    }
    const flaw = reply.flaw();
    if (flaw) throw http.flawed(flaw);
    return reply.finish(this.name);
  }

  #complain(value: unknown): void {
    if (textAt(value, "type") !== "error" && !at(value, "error")) return;
    const status = STATUS[textAt(value, "error", "type")];
    throw complaint(this.#server, {
      ...status !== undefined && { status },
      label: "error in the stream",
      body: JSON.stringify(value),
    });
  }

  #needKey(): void {
    if (this.problem) throw new ModelError("auth", this.problem);
  }

  async #hint(status: number, signal: AbortSignal) {
    if (status !== 404) return undefined;
    const { missingModelHint } = await import("../../core/http/listing.ts");
    const hint = await missingModelHint(this.#server, this.name, signal);
    return hint ?? "check baseURL";
  }
}
