import assert from "node:assert/strict";
import type { ModelErrorKind } from "../../core/error.ts";
import type { Model } from "../../core/model.ts";
import type { ModelServer, Step } from "../model_server.ts";
import { collect, failure, said } from "./models.ts";

type Options = Record<string, unknown>;

/** A model plugin under test. */
export interface Subject {
  readonly name: "openai" | "anthropic";
  serve(script: readonly Step[]): ModelServer;
  model(options: Options): Model;
}

interface Expected {
  readonly kind: ModelErrorKind;
  readonly line: RegExp;
  /** Default 1. */
  readonly requests?: number;
  readonly raw?: RegExp;
  readonly options?: Options;
}

const FAULTS: Readonly<Record<string, Expected>> = {
  "html": {
    kind: "protocol",
    line: /web page instead of an answer.*check baseURL/,
    raw: /nginx/,
  },
  "text": { kind: "protocol", line: /unexpected answer "hello"/ },
  "empty": { kind: "protocol", line: /the answer was empty/ },
  "empty-body": { kind: "protocol", line: /the answer was empty/ },
  "keepalive-only": { kind: "protocol", line: /the answer was empty/ },
  "redirect": {
    kind: "protocol",
    line: /HTTP 302 redirects to \/login\?next=%2F: check baseURL/,
  },
  "json-nonsense": { kind: "protocol", line: /JSON without/, raw: /hello/ },
  "html-stream": { kind: "protocol", line: /web page/ },
  "truncated": {
    kind: "protocol",
    line: /cut off: no (finish|stop)_reason/,
    raw: /data: /,
  },
  "no-finish": { kind: "protocol", line: /no (finish|stop)_reason/ },
  "empty-done": { kind: "protocol", line: /empty: no (finish|stop)_reason/ },
  "bad-json": { kind: "protocol", line: /a chunk that is not JSON: "\{oops"/ },
  "error-first": {
    kind: "http",
    line: /error in the stream: the GPU fell off the bus/,
  },
  "error-json": { kind: "http", line: /the GPU fell off the bus/ },
  "empty-answer": { kind: "empty", line: /the model gave an empty answer/ },
  "blank-answer": { kind: "empty", line: /the model gave an empty answer/ },
  "length-empty": { kind: "empty", line: /output limit.*raise maxOutput/ },
  "filtered": { kind: "empty", line: /filter|refused/ },
  "nameless-call": { kind: "protocol", line: /a tool call without a name/ },
  "giant-line": { kind: "protocol", line: /an event longer than 8192 KiB/ },
  "giant-body": { kind: "protocol", line: /more than 128 MiB/ },
  "giant-error": { kind: "http", line: /HTTP 400 Bad Request: no! no!/ },
  "garbage": { kind: "network", line: /invalid HTTP version/ },
  "close": {
    kind: "network",
    line: /connection lost \(5 attempts\)/,
    requests: 5,
  },
  "hang-up": {
    kind: "network",
    line: /connection lost \(5 attempts\)/,
    requests: 5,
  },
  "reset-early": {
    kind: "network",
    line: /connection lost \(5 attempts\)/,
    requests: 5,
  },
  "silent": {
    kind: "watchdog",
    line: /no byte for 0.2 s: raise watchdogTimeout/,
    options: { watchdogTimeout: 0.2 },
  },
  "stall": {
    kind: "watchdog",
    line: /no byte for 0.2 s/,
    options: { watchdogTimeout: "200ms" },
  },
  "slow-error": {
    kind: "watchdog",
    line: /no byte for 0.2 s/,
    options: { watchdogTimeout: 0.2 },
  },
  "400": {
    kind: "http",
    line: /HTTP 400 Bad Request: bad field temperature/,
    raw: /bad field/,
  },
  "401": {
    kind: "auth",
    line: /HTTP 401 Unauthorized: Incorrect API key provided: set /,
  },
  "403": { kind: "auth", line: /HTTP 403 Forbidden: .*: set / },
  "404": {
    kind: "http",
    line: /HTTP 404 Not Found: model "qwen3:8b" not found/,
  },
  "404-page": { kind: "http", line: /404 page not found/ },
  "408": { kind: "http", line: /HTTP 408.*\(5 attempts\)/, requests: 5 },
  "409": { kind: "http", line: /HTTP 409.*\(5 attempts\)/, requests: 5 },
  "413": { kind: "overflow", line: /HTTP 413/ },
  "429": {
    kind: "http",
    line: /HTTP 429 Too Many Requests: Rate limit reached \(5 attempts\)/,
    requests: 5,
  },
  "429-huge": {
    kind: "http",
    line:
      /Rate limit reached: try again in 120 min, at \d{4}-\d\d-\d\d \d\d:\d\d UTC/,
  },
  "429-quota": { kind: "http", line: /exceeded your current quota/ },
  "500": {
    kind: "http",
    line: /HTTP 500.*Internal error \(5 attempts\)/,
    requests: 5,
  },
  "502-html": {
    kind: "http",
    line: /HTTP 502 Bad Gateway: "502 Bad Gateway" \(5 attempts\)/,
    requests: 5,
    raw: /<html>/,
  },
  "503": { kind: "http", line: /HTTP 503.*Loading model/, requests: 5 },
  "529": { kind: "http", line: /HTTP 529: Overloaded/, requests: 5 },
  "overflow-openai": {
    kind: "overflow",
    line: /maximum context length is 8192/,
  },
  "overflow-llamacpp": {
    kind: "overflow",
    line: /exceeds the available context size/,
  },
  "overflow-vllm": {
    kind: "overflow",
    line: /longer than the maximum model length/,
  },
  "overflow-ollama": { kind: "overflow", line: /prompt too long/ },
  "overflow-lmstudio": {
    kind: "overflow",
    line: /context length of only 4096/,
  },
  "overflow-anthropic": { kind: "overflow", line: /prompt is too long/ },
};

/** Registers what every model behind HTTP must do when its server misbehaves. */
export function faultSuite(subject: Subject): void {
  const { name, serve, model } = subject;
  for (const [fault, expected] of Object.entries(FAULTS)) {
    Deno.test(`${name} names the cause of "${fault}"`, async () => {
      await using server = serve([{ fault }]);
      const error = await failure(
        model({ baseURL: server.url, ...expected.options }),
      );
      assert.match(error.message, /^Cannot ask 127\.0\.0\.1:\d+: /);
      assert.match(error.message, expected.line);
      assert.equal(error.kind, expected.kind);
      assert.equal(server.requests.length, expected.requests ?? 1);
      const retries = error.deltas.filter((d) => d.type === "retry");
      assert.equal(retries.length, (expected.requests ?? 1) - 1);
      if (expected.raw) assert.match(error.raw ?? "", expected.raw);
      assert.ok((error.raw ?? "").length < 5000 && error.message.length < 700);
    });
  }

  Deno.test(`${name} does not retry after the first delta`, async () => {
    for (const fault of ["reset", "error-chunk", "stall"]) {
      await using server = serve([{ fault }]);
      const error = await failure(
        model({ baseURL: server.url, watchdogTimeout: 0.3 }),
      );
      assert.match(said(error.deltas, "text"), /^Hello/);
      assert.equal(server.requests.length, 1);
    }
  });

  Deno.test(`${name} goes on when a fault passes, and shows each retry`, async () => {
    await using server = serve([
      { fault: "503" },
      { fault: "close" },
      { fault: "429-now" },
      "Here I am",
    ]);
    const { deltas, reply } = await collect(model({ baseURL: server.url }));
    assert.equal(reply.content, "Here I am");
    assert.deepEqual(deltas.slice(0, 3), [
      { type: "retry", reason: "HTTP 503 Service Unavailable", waitMs: 1 },
      { type: "retry", reason: "connection lost", waitMs: 2 },
      { type: "retry", reason: "HTTP 429 Too Many Requests", waitMs: 0 },
    ]);
  });

  Deno.test(`${name} retries an overloaded stream before its first delta`, async () => {
    const fault = name === "openai" ? "503" : "overloaded-chunk";
    await using server = serve([{ fault }, "Here I am"]);
    const { reply } = await collect(model({ baseURL: server.url }));
    assert.equal(reply.content, "Here I am");
  });

  Deno.test(`${name} waits as long as Retry-After says`, async () => {
    for (const fault of ["429-seconds", "429-date"]) {
      await using server = serve([{ fault }, "Here I am"]);
      const before = performance.now();
      const { deltas } = await collect(model({ baseURL: server.url }));
      assert.equal(deltas[0]?.type, "retry");
      const waited = performance.now() - before;
      assert.ok(waited > 400 && waited < 4000, `${waited} ms`);
    }
  });

  Deno.test(`${name} sends retries + 1 requests at most`, async () => {
    await using server = serve([{ fault: "500" }]);
    await failure(model({ baseURL: server.url, retries: 0 }));
    assert.equal(server.requests.length, 1);
    await failure(model({ baseURL: server.url, retries: 2 }));
    assert.equal(server.requests.length, 4);
  });

  Deno.test(`${name} retries a refused connection, then names it`, async () => {
    const server = serve(["never"]);
    await server[Symbol.asyncDispose]();
    const error = await failure(model({ baseURL: server.url }));
    assert.equal(error.kind, "network");
    assert.match(
      error.message,
      /: connection refused: is the model server running\? \(5 attempts\)$/,
    );
    assert.equal(error.deltas.length, 4);
  });

  Deno.test(`${name} names an unknown host, without retries`, async () => {
    const error = await failure(
      model({ baseURL: "http://no-such-host.invalid/v1" }),
    );
    assert.equal(error.kind, "network");
    assert.match(
      error.message,
      /^Cannot ask no-such-host\.invalid: host name not found/,
    );
    assert.deepEqual(error.deltas, []);
  });

  Deno.test(`${name} names a missing socket`, async () => {
    const error = await failure(
      model({ baseURL: "unix:///nowhere/x.sock:/v1" }),
    );
    assert.match(
      error.message,
      /^Cannot ask \/nowhere\/x\.sock: no such socket/,
    );
  });

  Deno.test(`${name} hides the key a server repeats`, async () => {
    await using server = serve([
      () => new Response("Bad key sk-verysecret", { status: 401 }),
    ]);
    const error = await failure(
      model({ baseURL: server.url, apiKey: "sk-verysecret" }),
    );
    assert.match(error.message, /Bad key \*\*\*/);
    assert.ok(!`${error.message}${error.raw}`.includes("verysecret"));
  });

  Deno.test(`${name} keeps terminal escapes out of its lines`, async () => {
    await using server = serve([
      () => new Response("\x1b]0;pwn\x07\x1b[31mred\r\nline", { status: 400 }),
    ]);
    const error = await failure(model({ baseURL: server.url }));
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(error.message, /[\x00-\x1f\x7f]/);
  });

  Deno.test(`${name} counts keep-alive comments as bytes`, async () => {
    const pieces = Array.from({ length: 8 }, () => ": keep-alive\n\n");
    await using server = serve([async (request) => {
      await Promise.resolve();
      const whole = new Response(
        ReadableStream.from(
          slowly([...pieces, ...await frames(serve, request)], 60),
        ),
        { headers: { "content-type": "text/event-stream" } },
      );
      return whole;
    }]);
    const { reply } = await collect(
      model({ baseURL: server.url, watchdogTimeout: 0.3 }),
    );
    assert.equal(reply.content, "Late but here");
  });

  Deno.test(`${name} does not count a slow reader as a stalled server`, async () => {
    await using server = serve([{ text: "one two three" }]);
    const stream = model({ baseURL: server.url, watchdogTimeout: 0.1 })
      .stream({
        messages: [{ role: "user", id: "u", content: "Hi" }],
        tools: [],
      }, new AbortController().signal);
    let step = await stream.next();
    while (!step.done) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      step = await stream.next();
    }
    assert.equal(step.value.content, "one two three");
  });

  for (const [when, script, ms] of ABORTS) {
    Deno.test(`${name} stops at once when aborted ${when}`, async () => {
      await using server = serve(script);
      const controller = new AbortController();
      const reason = new Error("stopped by the test");
      const timer = setTimeout(() => controller.abort(reason), ms);
      const before = performance.now();
      await assert.rejects(
        collect(model({ baseURL: server.url }), undefined, controller.signal),
        (error) => error === reason,
      );
      clearTimeout(timer);
      assert.ok(performance.now() - before < ms + 500);
      await closes(server);
    });
  }

  Deno.test(`${name} closes the connection when the reader leaves`, async () => {
    await using server = serve([{
      text: "a long answer ".repeat(50),
      delayMs: 20,
    }]);
    const stream = model({ baseURL: server.url }).stream(
      { messages: [{ role: "user", id: "u", content: "Hi" }], tools: [] },
      new AbortController().signal,
    );
    await stream.next();
    await stream.return(undefined as never);
    await closes(server);
  });
}

const ABORTS: readonly [when: string, script: readonly Step[], ms: number][] = [
  ["before it starts", ["never"], 0],
  ["before the headers", [{ fault: "silent" }], 80],
  ["in mid-stream", [{ text: "word ".repeat(500), delayMs: 10 }], 150],
  ["while it waits to retry", [{ fault: "429-seconds" }], 150],
  ["in an error body", [{ fault: "slow-error" }], 100],
];

async function closes(server: ModelServer): Promise<void> {
  for (let i = 0; server.open > 0; i++) {
    assert.ok(i < 100, "the connection stays open");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function* slowly(pieces: readonly string[], ms: number) {
  for (const piece of pieces) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    yield new TextEncoder().encode(piece);
  }
}

// A proper stream, asked from a second server of the same kind.
async function frames(
  serve: Subject["serve"],
  request: { path: string; body: unknown },
): Promise<string[]> {
  await using other = serve([{ text: "Late but here" }]);
  const url = other.url.replace(/\/v1$/, request.path);
  const response = await fetch(url, { method: "POST", body: "{}" });
  return (await response.text()).split(/(?<=\n\n)/);
}
