import type { Dialect } from "./dialect.ts";
import {
  chunked,
  type Handler,
  type Resetting,
  respond,
  stream,
  STREAM_HEAD,
} from "./wire.ts";

/** Everything that can go wrong, by name. */
export const FAULTS: Readonly<
  Record<string, (dialect: Dialect) => Handler | Resetting>
> = {
  // A page, or nothing, where an answer should be.
  "html": () => page(200, "Welcome to nginx!"),
  "text": () =>
    respond(
      new Response("hello", { headers: { "content-type": "text/plain" } }),
    ),
  "empty": () => stream([]),
  "empty-body": () => respond(json(200, "")),
  "keepalive-only": () => stream([": keep-alive\n\n", ": keep-alive\n\n"]),
  "redirect": () =>
    respond(
      new Response(null, {
        status: 302,
        headers: { location: "/login?next=%2F" },
      }),
    ),
  "json-nonsense": () => respond(json(200, '{"hello":"world"}')),
  "html-stream": () => stream(["<!doctype html><title>Oops</title>\n"]),

  // A stream that goes wrong.
  "truncated": (d) => stream(hello(d).slice(0, -d.ending)),
  "no-finish": (d) =>
    stream(hello(d).filter((f) => !/"(finish|stop)_reason":"/.test(f))),
  "empty-done": (d) => stream(hello(d).slice(-1)),
  "bad-json": (d) =>
    stream([...hello(d).slice(0, 2), "data: {oops\n\n", ...hello(d).slice(2)]),
  "error-chunk": (d) =>
    stream([
      ...hello(d).slice(0, 5),
      d.errorFrame("the GPU fell off the bus", "api_error", 400),
    ]),
  "error-first": (d) =>
    stream([
      d.errorFrame("the GPU fell off the bus", "invalid_request_error", 400),
    ]),
  "error-json": (d) =>
    respond(
      json(
        200,
        d.error("the GPU fell off the bus", "invalid_request_error", 400),
      ),
    ),
  "error-text": () =>
    stream(['error: {"code":400,"message":"old llama.cpp"}\n\n']),
  // Complete, but for how it ends: no fault of the answer.
  "no-end": (d) => async (wire) => {
    await wire.write(STREAM_HEAD);
    for (const f of hello(d).slice(0, 1 - d.ending)) {
      await wire.write(chunked(f));
    }
    await wire.pause(3_600_000);
  },
  "reset-end": (d) => ({
    reset: async (wire) => {
      await wire.write(STREAM_HEAD);
      for (const f of hello(d).slice(0, 1 - d.ending)) {
        await wire.write(chunked(f));
      }
      await wire.pause(100);
    },
  }),
  "overloaded-chunk": (d) =>
    stream([d.errorFrame("Overloaded", "overloaded_error", 529)]),
  "empty-answer": (d) => stream(d.frames({ text: "" })),
  "blank-answer": (d) => stream(d.frames({ text: " \n" })),
  "length-empty": (d) =>
    stream(
      d.frames({
        thought: "hm",
        finish: d.name === "openai" ? "length" : "max_tokens",
      }),
    ),
  "filtered": (d) =>
    stream(
      d.frames({ finish: d.name === "openai" ? "content_filter" : "refusal" }),
    ),
  "nameless-call": (d) =>
    stream(d.frames({ calls: [{ name: "", arguments: {} }] })),
  "bad-arguments": (d) =>
    stream(d.frames({ calls: [{ name: "read", arguments: '{"path": "a' }] })),
  "giant-line": () => endless("x".repeat(65536), "data: "),
  "giant-body": () => endless(`: ${"x".repeat(65533)}\n`, ""),

  // A connection that goes wrong.
  "close": () => ({ reset: async () => {} }),
  "hang-up": () => () => Promise.resolve(),
  "garbage": () => (wire) => wire.write("hello there\r\n\r\n"),
  "reset": (d) => ({
    reset: async (wire) => {
      await wire.write(STREAM_HEAD);
      for (const f of hello(d).slice(0, 4)) await wire.write(chunked(f));
      await wire.pause(100);
    },
  }),
  "reset-early": () => ({
    reset: async (wire) => {
      await wire.write(STREAM_HEAD);
      await wire.pause(100);
    },
  }),
  "silent": () => (wire) => wire.pause(3_600_000),
  "stall": (d) => async (wire) => {
    await wire.write(STREAM_HEAD);
    for (const f of hello(d).slice(0, 5)) await wire.write(chunked(f));
    await wire.pause(3_600_000);
  },
  "slow-error": () => async (wire) => {
    await wire.write(
      "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain\r\n\r\nstill writ",
    );
    await wire.pause(3_600_000);
  },
  "giant-error": () =>
    endless(
      "no! ".repeat(16384),
      "",
      "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n",
    ),

  // HTTP errors.
  "400": (d) => error(d, 400, "bad field temperature", "invalid_request_error"),
  "401": (d) =>
    error(d, 401, "Incorrect API key provided", "authentication_error"),
  "403": (d) =>
    error(d, 403, "Your key may not use this model", "permission_error"),
  "404": (d) =>
    error(
      d,
      404,
      'model "qwen3:8b" not found, try pulling it first',
      "not_found_error",
    ),
  "404-page": () =>
    respond(
      new Response("404 page not found", {
        status: 404,
        headers: { "content-type": "text/plain" },
      }),
    ),
  "408": (d) => error(d, 408, "timed out", "timeout_error"),
  "409": (d) => error(d, 409, "conflict", "conflict_error"),
  "413": (d) =>
    error(d, 413, "Request exceeds the maximum size", "request_too_large"),
  "429": (d) => error(d, 429, "Rate limit reached", "rate_limit_error"),
  "429-now": (d) =>
    error(d, 429, "Rate limit reached", "rate_limit_error", "0"),
  "429-seconds": (d) =>
    error(d, 429, "Rate limit reached", "rate_limit_error", "1"),
  "429-huge": (d) =>
    error(d, 429, "Rate limit reached", "rate_limit_error", "7200"),
  "429-quota": () =>
    respond(
      json(429, {
        error: {
          message: "You exceeded your current quota",
          code: "insufficient_quota",
        },
      }),
    ),
  "500": (d) => error(d, 500, "Internal error", "api_error"),
  "500-now": (d) => error(d, 500, "Internal error", "api_error", "0"),
  "502-html": () => page(502, "502 Bad Gateway"),
  "503": (d) => error(d, 503, "Loading model", "unavailable_error"),
  "529": (d) => error(d, 529, "Overloaded", "overloaded_error"),

  // The conversation does not fit, in each server's words.
  "overflow-openai": () =>
    overflow({
      error: {
        message:
          "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
        type: "invalid_request_error",
        param: "messages",
        code: "context_length_exceeded",
      },
    }),
  "overflow-llamacpp": () =>
    overflow({
      error: {
        code: 400,
        message:
          "the request exceeds the available context size, try increasing it",
        type: "exceed_context_size_error",
        n_prompt_tokens: 9001,
        n_ctx: 4096,
      },
    }),
  "overflow-vllm": () =>
    overflow({
      object: "error",
      message:
        "The decoder prompt (length 9001) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.",
      type: "BadRequestError",
      param: null,
      code: 400,
    }),
  "overflow-ollama": () =>
    overflow({
      error: {
        message: "prompt too long; exceeded max context length by 4905 tokens",
        type: "invalid_request_error",
        param: null,
        code: null,
      },
    }),
  "overflow-lmstudio": () =>
    overflow({
      error:
        "Trying to keep the first 9001 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
    }),
  "overflow-anthropic": () =>
    overflow({
      type: "error",
      error: {
        type: "invalid_request_error",
        message: "prompt is too long: 213462 tokens > 200000 maximum",
      },
    }),
};

function hello(dialect: Dialect): string[] {
  return dialect.frames({ text: "Hello there, this answer has several words" });
}

function json(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Response {
  return new Response(typeof body === "string" ? body : JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

function error(
  d: Dialect,
  status: number,
  message: string,
  type: string,
  after?: string,
): Handler {
  return (wire, request) =>
    respond(
      json(
        status,
        d.error(message, type, status),
        after === undefined ? {} : { "retry-after": after },
      ),
    )(wire, request);
}

function overflow(body: unknown): Handler {
  return (wire, request) => respond(json(400, body))(wire, request);
}

function page(status: number, title: string): Handler {
  const html =
    `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
  return (wire, request) =>
    respond(
      new Response(html, {
        status,
        headers: { "content-type": "text/html; charset=utf-8" },
      }),
    )(wire, request);
}

function endless(piece: string, first: string, head = STREAM_HEAD): Handler {
  return async (wire) => {
    await wire.write(head + "");
    if (first) await wire.write(chunked(first));
    while (!wire.signal.aborted) await wire.write(chunked(piece));
  };
}
