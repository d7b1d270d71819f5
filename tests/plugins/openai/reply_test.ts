import assert from "node:assert/strict";
import { ModelError } from "../../../core/error.ts";
import type { ModelDelta, ModelReply } from "../../../core/model.ts";
import { HeldTimers } from "../../held_timers.ts";
import { openaiServer } from "../../model_server.ts";
import { TempDir } from "../../temp_dir.ts";
import { until } from "../../until.ts";
import { collect, failure, openaiModel, question, said } from "../models.ts";

const frame = (delta: unknown, finish: string | null = null) =>
  `data: ${
    JSON.stringify({ choices: [{ delta, finish_reason: finish }] })
  }\n\n`;

async function replyTo(pieces: (string | Uint8Array)[]) {
  await using server = openaiServer([{ pieces }]);
  return await collect(openaiModel({ baseURL: server.url, retries: 0 }));
}

function callsOf(...deltas: unknown[]) {
  return replyTo([
    ...deltas.map((tool_calls) => frame({ tool_calls })),
    frame({}, "tool_calls"),
    "data: [DONE]\n\n",
  ]).then(({ reply }) => reply.toolCalls);
}

Deno.test("stream() yields text and thought, and returns the whole with usage", async () => {
  await using server = openaiServer([{
    text: "Grüße an alle 🎉",
    thought: "let me see",
    usage: { input: 100, output: 7, cached: 64 },
  }]);
  const { deltas, reply } = await collect(openaiModel({ baseURL: server.url }));
  assert.deepEqual(reply, {
    content: "Grüße an alle 🎉",
    thought: "let me see",
    stopReason: "end_turn",
    usage: { input: 100, output: 7, cached: 64 },
  });
  assert.equal(said(deltas, "text"), reply.content);
  assert.equal(said(deltas, "thought"), reply.thought);
});

Deno.test("stream() accepts one JSON object instead of a stream", async () => {
  await using server = openaiServer([{
    whole: {
      text: "Hi",
      thought: "hm",
      calls: [{ name: "read", arguments: { path: "a" } }],
    },
  }]);
  const { deltas, reply } = await collect(openaiModel({ baseURL: server.url }));
  assert.equal(reply.content, "Hi");
  assert.equal(reply.thought, "hm");
  assert.deepEqual(reply.toolCalls, [{
    id: "call_0",
    name: "read",
    arguments: { path: "a" },
  }]);
  assert.equal(reply.stopReason, "tool_use");
  assert.equal(said(deltas, "text"), "Hi");
});

Deno.test("stream() takes the text of content parts", async () => {
  const { reply } = await replyTo([
    frame({
      content: [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }],
    }),
    frame({ content: [{ type: "text", text: "Hi" }] }),
    frame({}, "stop"),
  ]);
  assert.deepEqual([reply.content, reply.thought], ["Hi", "hm"]);
});

Deno.test("stream() needs no [DONE] and no last blank line after a finish_reason", async () => {
  const { reply } = await replyTo([
    frame({ content: "Hi" }),
    frame({}, "stop").trimEnd() + "\n",
  ]);
  assert.equal(reply.content, "Hi");
});

Deno.test("stream() stops at [DONE] though the server keeps the connection", async () => {
  await using server = openaiServer([() =>
    new Response(
      new ReadableStream({
        start(c) {
          c.enqueue(
            new TextEncoder().encode(
              `${frame({ content: "Hi" }, "stop")}data: [DONE]\n\n`,
            ),
          );
        },
      }),
      { headers: { "content-type": "text/event-stream" } },
    )]);
  const { reply } = await collect(openaiModel({ baseURL: server.url }));
  assert.equal(reply.content, "Hi");
});

Deno.test("stream() takes an answer that is complete, however it ends", async () => {
  using watchdog = new HeldTimers(3_600_000);
  for (const fault of ["no-end", "reset-end"]) {
    const read = Promise.withResolvers<void>();
    const when = fault === "reset-end" && { when: read.promise };
    await using server = openaiServer([{ fault, ...when }]);
    const model = openaiModel({ baseURL: server.url, watchdogTimeout: "1h" });
    const stream = model.stream(question("Hi"), new AbortController().signal);
    let text = "";
    while (!text.endsWith("words")) {
      const { value } = await stream.next();
      text += said([value as ModelDelta], "text");
    }
    read.resolve();
    const end = stream.next();
    if (fault === "no-end") {
      await until(() => watchdog.waiting > 0);
      watchdog.fire();
    }
    const { value } = await end;
    assert.equal((value as ModelReply).content, text);
  }
});

Deno.test("stream() retries an error in the stream that may pass", async () => {
  const pieces = [
    'data: {"error":{"message":"busy","type":"server_error","code":null}}\n\n',
  ];
  await using server = openaiServer([{ pieces }, "Hi"]);
  const { deltas, reply } = await collect(openaiModel({ baseURL: server.url }));
  assert.equal(reply.content, "Hi");
  assert.deepEqual(deltas[0], { type: "retry", reason: "busy", waitMs: 1 });
});

Deno.test("stream() lets a header of the options replace its own", async () => {
  await using server = openaiServer(["Hi"]);
  const headers = { Authorization: "Basic abc" };
  await collect(openaiModel({ baseURL: server.url, apiKey: "k", headers }));
  assert.equal(
    server.requests[0]?.headers.get("authorization"),
    "Basic abc",
  );
});

Deno.test("stream() maps finish reasons", async () => {
  for (
    const [finish, stop] of [
      ["stop", "end_turn"],
      ["length", "max_tokens"],
      ["content_filter", "refusal"],
      ["eos", "end_turn"],
      ["tool_calls", "end_turn"],
    ] as const
  ) {
    const { reply } = await replyTo([
      frame({ content: "Hi" }),
      frame({}, finish),
    ]);
    assert.equal(reply.stopReason, stop);
  }
  const { reply } = await replyTo([
    frame({
      tool_calls: [{
        index: 0,
        id: "a",
        function: { name: "list", arguments: "{}" },
      }],
    }),
    frame({}, "stop"),
  ]);
  assert.equal(reply.stopReason, "tool_use");
});

Deno.test("stream() merges parallel calls by index, arguments in pieces", async () => {
  const calls = await callsOf(
    [{ index: 0, id: "a", function: { name: "read", arguments: '{"pa' } }],
    [{ index: 1, id: "b", function: { name: "list", arguments: "" } }],
    [{ index: 0, function: { arguments: 'th":"x"}' } }, {
      index: 1,
      function: { arguments: "{}" },
    }],
  );
  assert.deepEqual(calls, [
    { id: "a", name: "read", arguments: { path: "x" } },
    { id: "b", name: "list", arguments: {} },
  ]);
});

Deno.test("stream() tolerates calls without index", async () => {
  const calls = await callsOf(
    [{ id: "a", function: { name: "read", arguments: '{"path"' } }],
    [{ function: { arguments: ':"x"}' } }],
    [{ id: "b", function: { name: "read", arguments: '{"path":"y"}' } }],
  );
  assert.deepEqual(calls?.map((c) => [c.id, c.arguments]), [["a", {
    path: "x",
  }], ["b", { path: "y" }]]);
});

Deno.test("stream() tolerates calls without index and id", async () => {
  const calls = await callsOf(
    [{ function: { name: "read", arguments: { path: "x" } } }],
    [{ function: { name: "read", arguments: { path: "y" } } }],
  );
  assert.deepEqual(calls?.map((c) => c.arguments), [{ path: "x" }, {
    path: "y",
  }]);
  assert.equal(new Set(calls?.map((c) => c.id)).size, 2);
  assert.match(calls?.[0]?.id ?? "", /^call_[0-9a-f]{12}$/);
});

Deno.test("stream() tells calls apart that share index 0", async () => {
  const calls = await callsOf(
    [{ index: 0, id: "a", function: { name: "read", arguments: "{}" } }],
    [{ index: 0, id: "b", function: { name: "list", arguments: "{}" } }],
  );
  assert.deepEqual(calls?.map((c) => c.name), ["read", "list"]);
});

Deno.test("stream() takes a name repeated in each piece once", async () => {
  const calls = await callsOf(
    [{ index: 0, id: "a", function: { name: "read", arguments: "{" } }],
    [{ index: 0, id: "a", function: { name: "read", arguments: "}" } }],
  );
  assert.deepEqual(calls, [{ id: "a", name: "read", arguments: {} }]);
});

Deno.test("stream() decodes arguments encoded twice, and keeps invalid ones as text", async () => {
  const calls = await callsOf(
    [{
      index: 0,
      id: "a",
      function: { name: "read", arguments: '"{\\"path\\":\\"x\\"}"' },
    }],
    [{
      index: 1,
      id: "b",
      function: { name: "read", arguments: '{"path": "x' },
    }],
    [{ index: 2, id: "c", function: { name: "list", arguments: null } }],
  );
  assert.deepEqual(calls?.map((c) => c.arguments), [
    { path: "x" },
    '{"path": "x',
    {},
  ]);
});

Deno.test("stream() replaces a call id that the conversation used already", async () => {
  await using server = openaiServer([{
    calls: [{ name: "list", arguments: {} }],
  }]);
  const request = question("Hello");
  const { reply } = await collect(openaiModel({ baseURL: server.url }), {
    ...request,
    messages: [...request.messages, {
      role: "assistant",
      id: "x",
      content: "",
      toolCalls: [{ id: "call_0", name: "list", arguments: {} }],
    }],
  });
  assert.match(reply.toolCalls?.[0]?.id ?? "", /^call_[0-9a-f]{12}$/);
});

Deno.test("stream() takes <think> at the start as thinking", async () => {
  const text = "<think>\nhm </thin king\n</think>\n\nHi <think>no</think>";
  for (const size of [1, 3, 1000]) {
    const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
    const { reply } = await replyTo([
      ...pieces.map((content) => frame({ content })),
      frame({}, "stop"),
    ]);
    assert.equal(reply.thought, "\nhm </thin king\n");
    assert.equal(reply.content, "Hi <think>no</think>");
  }
});

Deno.test("stream() calls thinking without an answer empty", async () => {
  for (const content of ["<think>hm</think>", "<think>hm", "<thi"]) {
    const pieces = [frame({ content }), frame({}, "stop")];
    await using server = openaiServer([{ pieces }]);
    const model = openaiModel({ baseURL: server.url });
    if (content === "<thi") {
      assert.equal((await collect(model)).reply.content, "<thi");
    } else assert.equal((await failure(model)).kind, "empty");
  }
});

Deno.test("stream() knows error events of old llama.cpp, LM Studio and vLLM", async () => {
  const overflow =
    "Trying to keep the first 9 tokens when context the overflows";
  for (
    const [piece, line, kind] of [
      [
        'error: {"code":400,"message":"old llama.cpp"}\n\n',
        /old llama\.cpp/,
        "http",
      ],
      [
        `event: error\ndata: {"error":{"message":"${overflow}"}}\n\n`,
        /overflows/,
        "overflow",
      ],
      [`event: error\ndata: {"message":"bare"}\n\n`, /bare/, "http"],
      [
        'data: {"object":"error","message":"vllm","code":400}\n\n',
        /vllm/,
        "http",
      ],
      ['data: {"error":"just text"}\n\n', /just text/, "http"],
      ['{"error":{"message":"no data field"}}', /no data field/, "http"],
    ] as const
  ) {
    await using server = openaiServer([{ pieces: [piece] }]);
    const error = await failure(openaiModel({ baseURL: server.url }));
    assert.match(error.message, line);
    assert.equal(error.kind, kind);
  }
});

Deno.test("stream() speaks over a Unix socket", async () => {
  await using dir = await TempDir.make();
  const socket = `${dir.path}/model.sock`;
  await using server = openaiServer(["Hi"], { socket });
  const model = openaiModel({ baseURL: `unix://${socket}:/engines/v1` });
  assert.equal((await collect(model)).reply.content, "Hi");
  assert.equal(server.requests[0]?.path, "/engines/v1/chat/completions");
});

Deno.test("stream() uses the server's first chat model when none is named", async () => {
  await using server = openaiServer(["Hi"], {
    models: ["nomic-embed-text", "qwen3:8b", "b"],
  });
  const model = openaiModel({ baseURL: server.url, name: undefined });
  assert.equal(model.name, "auto");
  assert.equal(server.others.length, 0);
  await collect(model);
  await collect(model);
  assert.equal(model.name, "qwen3:8b");
  assert.equal(server.requests[0]?.body.model, "qwen3:8b");
  assert.equal(server.others.length, 1);
});

Deno.test("stream() says so when the server offers no model", async () => {
  await using server = openaiServer(["Hi"], { models: [] });
  const error = await failure(
    openaiModel({ baseURL: server.url, name: undefined }),
  );
  assert.match(error.message, /it offers no model/);
});

Deno.test("stream() says how to get a model that is missing", async () => {
  await using ollama = openaiServer([{ fault: "404" }], {
    models: ["qwen3:4b", "llama3.2:3b"],
  });
  const near = await failure(
    openaiModel({ baseURL: ollama.url, name: "qwen3:8b" }),
  );
  assert.match(
    near.message,
    /: did you mean "qwen3:4b"\? or run `ollama pull qwen3:8b`$/,
  );
  const far = await failure(
    openaiModel({ baseURL: ollama.url, name: "mistral" }),
  );
  assert.match(
    far.message,
    /: run `ollama pull mistral` or it offers qwen3:4b, llama3\.2:3b$/,
  );
});

Deno.test("stream() needs a key for OpenAI itself, and names its variable", async () => {
  const error = await failure(
    openaiModel({ baseURL: "https://api.openai.com/v1" }),
  );
  assert.equal(error.kind, "auth");
  assert.equal(
    error.message,
    "Cannot ask api.openai.com: no API key: set OPENAI_API_KEY, or apiKey in agent.yaml",
  );
});

Deno.test("stream() sends OpenAI's key to nobody else", async () => {
  await using server = openaiServer(["Hi"]);
  const env = { OPENAI_API_KEY: "sk-official" };
  await collect(openaiModel({ baseURL: server.url }, env));
  assert.equal(server.requests[0]?.headers.get("authorization"), null);
  await collect(
    openaiModel({
      baseURL: server.url,
      apiKey: "k",
      headers: { "x-team": "a" },
    }, env),
  );
  assert.equal(server.requests[1]?.headers.get("authorization"), "Bearer k");
  assert.equal(server.requests[1]?.headers.get("x-team"), "a");
});

Deno.test("models() lists, and throws a ModelError when it cannot", async () => {
  const { signal } = new AbortController();
  await using server = openaiServer(["Hi"], { models: ["a", "b"] });
  assert.deepEqual(await openaiModel({ baseURL: server.url }).models(signal), [
    "a",
    "b",
  ]);
  const gone = openaiModel({ baseURL: "http://127.0.0.1:1/v1" });
  await assert.rejects(gone.models(signal), ModelError);
});
