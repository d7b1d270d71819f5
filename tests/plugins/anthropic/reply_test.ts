import assert from "node:assert/strict";
import { anthropicServer } from "../../model_server.ts";
import type { ModelRequest } from "../../../core/model.ts";
import { anthropicModel, collect, failure, question, said } from "../models.ts";

Deno.test("stream() yields text and thought, keeps the signature, counts cached input", async () => {
  await using server = anthropicServer([{
    text: "Grüße 🎉",
    thought: "let me see",
    calls: [{ name: "read", arguments: { path: "x" } }],
    usage: { input: 100, output: 7, cached: 64 },
  }]);
  const { deltas, reply } = await collect(
    anthropicModel({ baseURL: server.url }),
  );
  assert.deepEqual(reply, {
    content: "Grüße 🎉",
    thought: "let me see",
    toolCalls: [{ id: "toolu_0", name: "read", arguments: { path: "x" } }],
    stopReason: "tool_use",
    usage: { input: 100, output: 7, cached: 64 },
    provider: {
      anthropic: "m",
      thinking: [{
        type: "thinking",
        thinking: "let me see",
        signature: "signature",
      }],
    },
  });
  assert.equal(said(deltas, "text"), reply.content);
  assert.equal(said(deltas, "thought"), reply.thought);
  const [request] = server.requests;
  assert.equal(request?.path, "/v1/messages");
  assert.equal(request?.headers.get("x-api-key"), "sk-ant-secret");
  assert.equal(request?.headers.get("anthropic-version"), "2023-06-01");
});

Deno.test("stream() keeps redacted thinking", async () => {
  const event = (type: string, value: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`;
  await using server = anthropicServer([{
    pieces: [
      event("content_block_start", {
        index: 0,
        content_block: { type: "redacted_thinking", data: "xyz" },
      }),
      event("content_block_start", {
        index: 1,
        content_block: { type: "text", text: "Hi" },
      }),
      event("unknown_event", { index: 1 }),
      event("message_delta", { delta: { stop_reason: "end_turn" } }),
      event("message_stop", {}),
    ],
  }]);
  const { reply } = await collect(anthropicModel({ baseURL: server.url }));
  assert.equal(reply.content, "Hi");
  assert.deepEqual(reply.provider, {
    anthropic: "m",
    thinking: [{ type: "redacted_thinking", data: "xyz" }],
  });
});

Deno.test("stream() accepts one JSON message instead of a stream", async () => {
  await using server = anthropicServer([{
    whole: { text: "Hi", calls: [{ name: "read", arguments: { path: "x" } }] },
  }]);
  const { reply } = await collect(anthropicModel({ baseURL: server.url }));
  assert.equal(reply.content, "Hi");
  assert.deepEqual(reply.toolCalls?.[0]?.arguments, { path: "x" });
});

Deno.test("stream() maps stop reasons", async () => {
  for (
    const [finish, stop] of [
      ["end_turn", "end_turn"],
      ["stop_sequence", "end_turn"],
      ["pause_turn", "end_turn"],
      ["max_tokens", "max_tokens"],
      ["model_context_window_exceeded", "max_tokens"],
      ["refusal", "refusal"],
    ] as const
  ) {
    await using server = anthropicServer([{ text: "Hi", finish }]);
    const { reply } = await collect(anthropicModel({ baseURL: server.url }));
    assert.equal(reply.stopReason, stop);
  }
});

Deno.test("stream() keeps invalid arguments as text", async () => {
  await using server = anthropicServer([{ fault: "bad-arguments" }]);
  const { reply } = await collect(anthropicModel({ baseURL: server.url }));
  assert.equal(reply.toolCalls?.[0]?.arguments, '{"path": "a');
});

Deno.test("stream() needs a key for the official API, and names its variable", async () => {
  const error = await failure(anthropicModel({}, {}));
  assert.equal(error.kind, "auth");
  assert.equal(
    error.message,
    "Cannot ask api.anthropic.com: no API key: set ANTHROPIC_API_KEY, or apiKey in agent.yaml",
  );
});

Deno.test("stream() sends its own signed thinking back, in a turn under way", async () => {
  await using server = anthropicServer([{
    thought: "hm",
    calls: [{ name: "list", arguments: {} }],
  }, "done"]);
  const model = anthropicModel({
    baseURL: server.url,
    thinking: 2048,
    temperature: 1,
  });
  const first = question("Hello");
  const { reply } = await collect(model, first);
  const { content, provider, toolCalls } = reply;
  const next = (by: unknown): ModelRequest => ({
    ...first,
    messages: [
      ...first.messages,
      {
        role: "assistant",
        id: "a",
        content,
        provider: by,
        ...toolCalls && { toolCalls },
      },
      {
        role: "tool",
        id: "t",
        toolCallId: "toolu_0",
        name: "list",
        content: "files",
        status: "failed",
        approval: "auto",
      },
    ],
  });
  await collect(model, next(provider));
  const second = server.requests[1]?.body;
  assert.deepEqual(second.thinking, { type: "enabled", budget_tokens: 2048 });
  assert.equal(second.max_tokens, 8192 + 2048);
  assert.equal(second.temperature, undefined);
  assert.deepEqual(second.messages[1].content[0], {
    type: "thinking",
    thinking: "hm",
    signature: "signature",
  });
  assert.deepEqual(second.messages[2].content, [{
    type: "tool_result",
    tool_use_id: "toolu_0",
    content: "files",
    is_error: true,
    cache_control: { type: "ephemeral" },
  }]);
  // Thinking of another model cannot be sent, so this turn goes on without.
  await collect(model, next({ anthropic: "other", thinking: [{}] }));
  const third = server.requests[2]?.body;
  assert.equal(third.thinking, undefined);
  assert.equal(third.messages[1].content[0].type, "tool_use");
});

Deno.test("stream() suggests the nearest name for a missing model", async () => {
  await using server = anthropicServer([{ fault: "404" }], {
    models: ["claude-sonnet-4-5"],
  });
  const model = anthropicModel({
    baseURL: server.url,
    name: "claude-sonet-4-5",
  });
  const { message } = await failure(model);
  assert.match(message, /: did you mean "claude-sonnet-4-5"\?$/);
});

Deno.test("models() lists", async () => {
  await using server = anthropicServer(["Hi"], { models: ["a", "b"] });
  const model = anthropicModel({ baseURL: server.url });
  assert.deepEqual(await model.models(new AbortController().signal), [
    "a",
    "b",
  ]);
});
