import assert from "node:assert/strict";
import { ModelError, type ModelErrorKind } from "../../core/error.ts";
import type { Model, ModelDelta } from "../../core/model.ts";
import { HeldTimers } from "../held_timers.ts";
import type { ModelServer, Step } from "../model_server.ts";
import { until } from "../until.ts";
import { collect, failure, question, said } from "./models.ts";

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
}

/** The watchdog of all models here: no test takes so long, and some end it. */
const WATCH = { watchdogTimeout: "1h" };
const WATCH_MS = 3_600_000;

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
    line: /no byte for 60 min: raise watchdogTimeout/,
  },
  "stall": {
    kind: "watchdog",
    line: /no byte for 60 min/,
  },
  "slow-error": {
    kind: "watchdog",
    line: /no byte for 60 min/,
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
      using watchdog = new HeldTimers(WATCH_MS);
      const failing = failure(model({ baseURL: server.url, ...WATCH }));
      if (expected.kind === "watchdog") {
        await until(() => server.requests.length > 0 && watchdog.waiting > 0);
        watchdog.fire();
      }
      const error = await failing;
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
      const read = Promise.withResolvers<void>();
      const when = fault === "reset" && { when: read.promise };
      await using server = serve([{ fault, ...when }]);
      using watchdog = new HeldTimers(WATCH_MS);
      const stream = ask(model({ baseURL: server.url, ...WATCH }));
      const deltas = [(await stream.next()).value as ModelDelta];
      read.resolve();
      const failing = assert.rejects(async () => {
        for await (const delta of stream) deltas.push(delta);
      }, ModelError);
      if (fault === "stall") {
        await until(() => watchdog.waiting > 0);
        watchdog.fire();
      }
      await failing;
      assert.match(said(deltas, "text"), /^Hello/);
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
    await using server = serve([{ fault: "429-seconds" }, "Here I am"]);
    using second = new HeldTimers(1000);
    const stream = ask(model({ baseURL: server.url }));
    const { value } = await stream.next();
    assert.deepEqual(value, {
      type: "retry",
      reason: "HTTP 429 Too Many Requests",
      waitMs: 1000,
    });
    const answer = stream.next();
    await until(() => second.waiting > 0);
    assert.equal(server.requests.length, 1);
    second.fire();
    assert.equal((await answer).done, false);
    assert.equal(server.requests.length, 2);
    await stream.return(undefined as never);
  });

  Deno.test(`${name} sends retries + 1 requests at most`, async () => {
    await using server = serve([{ fault: "500" }]);
    await failure(model({ baseURL: server.url, retries: 0 }));
    assert.equal(server.requests.length, 1);
    await failure(model({ baseURL: server.url, retries: 2 }));
    assert.equal(server.requests.length, 4);
  });

  Deno.test(`${name} retries a refused connection, then names it`, async () => {
    // A port that no program is given: nobody listens there.
    const error = await failure(model({ baseURL: "http://127.0.0.1:2/v1" }));
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
    const comment = new TextEncoder().encode(": keep-alive\n\n");
    let more: ReadableStreamDefaultController<Uint8Array> | undefined;
    await using server = serve([() =>
      new Response(
        new ReadableStream<Uint8Array>({
          start: (controller) => void (more = controller),
        }),
        { headers: { "content-type": "text/event-stream" } },
      )]);
    using watchdog = new HeldTimers(WATCH_MS);
    const failing = failure(model({ baseURL: server.url, ...WATCH }));
    for (let waits = 1; waits < 8; waits++) {
      // Each starts the watchdog anew: the headers did, and so do comments.
      await until(() => watchdog.set > waits && watchdog.waiting === 1);
      more?.enqueue(comment);
    }
    await until(() => watchdog.set > 8 && watchdog.waiting === 1);
    watchdog.fire();
    assert.equal((await failing).kind, "watchdog");
  });

  Deno.test(`${name} does not count a slow reader as a stalled server`, async () => {
    await using server = serve([{ text: "one two three" }]);
    using watchdog = new HeldTimers(WATCH_MS);
    const stream = ask(model({ baseURL: server.url, ...WATCH }));
    let step = await stream.next();
    for (; !step.done; step = await stream.next()) {
      assert.equal(watchdog.waiting, 0);
    }
    assert.equal(step.value.content, "one two three");
  });

  for (const { when, step, comes } of ABORTS) {
    Deno.test(`${name} stops at once when aborted ${when}`, async () => {
      await using server = serve([step]);
      // What would end it otherwise never comes.
      using watchdog = new HeldTimers(WATCH_MS);
      using second = new HeldTimers(1000);
      const controller = new AbortController();
      const reason = new Error("stopped by the test");
      const stream = ask(
        model({ baseURL: server.url, ...WATCH }),
        controller.signal,
      );
      const rejected = assert.rejects(async () => {
        for await (const _delta of stream);
      }, (error) => error === reason);
      await until(() => comes({ server, watchdog, second }), when);
      controller.abort(reason);
      await rejected;
      await closes(server);
    });
  }

  Deno.test(`${name} closes the connection when the reader leaves`, async () => {
    await using server = serve([{ fault: "stall" }]);
    const stream = ask(model({ baseURL: server.url }));
    await stream.next();
    await stream.return(undefined as never);
    await closes(server);
  });
}

/** A moment at which a turn is cancelled. */
interface Abort {
  readonly when: string;
  readonly step: Step;
  comes(seen: {
    readonly server: ModelServer;
    readonly watchdog: HeldTimers;
    readonly second: HeldTimers;
  }): boolean;
}

const ABORTS: readonly Abort[] = [
  { when: "before it starts", step: "never", comes: () => true },
  {
    when: "before the headers",
    step: { fault: "silent" },
    comes: ({ server }) => server.requests.length > 0,
  },
  {
    when: "in mid-stream",
    step: { fault: "stall" },
    // The first wait is for the headers, the last for what never comes.
    comes: ({ watchdog }) => watchdog.set > 2 && watchdog.waiting > 0,
  },
  {
    when: "while it waits to retry",
    step: { fault: "429-seconds" },
    comes: ({ second }) => second.waiting > 0,
  },
  {
    when: "in an error body",
    step: { fault: "slow-error" },
    comes: ({ watchdog }) => watchdog.set > 1 && watchdog.waiting > 0,
  },
];

function ask(model: Model, signal = new AbortController().signal) {
  return model.stream(question("Hi"), signal);
}

async function closes(server: ModelServer): Promise<void> {
  await until(() => server.open === 0, "the end of the connection");
}
