import assert from "node:assert/strict";
import { safeParse } from "zod/v4/core";
import type { Message } from "../../../core/message.ts";
import { requestBody, wireMessages } from "../../../plugins/openai/request.ts";
import { plugin } from "../../../plugins/openai/plugin.ts";

Deno.test("wireMessages() puts one system message first and joins users in a row", () => {
  const messages: Message[] = [
    { role: "user", id: "1", content: "one" },
    { role: "system", id: "2", content: "A" },
    { role: "user", id: "3", content: "two" },
    { role: "assistant", id: "4", content: "" },
    { role: "system", id: "5", content: "B" },
  ];
  assert.deepEqual(wireMessages(messages), [
    { role: "system", content: "A\n\nB" },
    { role: "user", content: "one\n\ntwo" },
  ]);
});

Deno.test("wireMessages() sends calls with arguments that are JSON objects, and results", () => {
  const messages: Message[] = [
    {
      role: "assistant",
      id: "1",
      content: "",
      thought: "hm",
      toolCalls: [
        { id: "a", name: "read", arguments: { path: "x" } },
        { id: "b", name: "read", arguments: '{"path' },
        { id: "c", name: "list", arguments: undefined },
      ],
    },
    {
      role: "tool",
      id: "2",
      toolCallId: "a",
      name: "read",
      content: "text",
      status: "completed",
      approval: "auto",
    },
  ];
  assert.deepEqual(wireMessages(messages), [
    {
      role: "assistant",
      content: null,
      tool_calls: [
        {
          id: "a",
          type: "function",
          function: { name: "read", arguments: '{"path":"x"}' },
        },
        {
          id: "b",
          type: "function",
          function: { name: "read", arguments: '{"invalid_json":"{\\"path"}' },
        },
        {
          id: "c",
          type: "function",
          function: { name: "list", arguments: "{}" },
        },
      ],
    },
    { role: "tool", tool_call_id: "a", content: "text" },
  ]);
});

Deno.test("wireMessages() sends images as data URLs and files fenced under their address", () => {
  const messages: Message[] = [{
    role: "user",
    id: "1",
    content: [
      { type: "text", text: "look" },
      { type: "image", data: "QUJD", mimeType: "image/png" },
      {
        type: "resource",
        resource: { uri: "file:///a.md", text: "```js\n```" },
      },
      { type: "resource_link", uri: "file:///b", name: "b" },
      {
        type: "resource",
        resource: { uri: "file:///c.png", mimeType: "image/png", blob: "QQ" },
      },
    ],
  }];
  assert.deepEqual(wireMessages(messages)[0]?.content, [
    { type: "text", text: "look" },
    { type: "image_url", image_url: { url: "data:image/png;base64,QUJD" } },
    { type: "text", text: "```` file:///a.md\n```js\n```\n````" },
    { type: "text", text: "[b](file:///b)" },
    { type: "image_url", image_url: { url: "data:image/png;base64,QQ" } },
  ]);
});

Deno.test("requestBody() leaves out what is not set", () => {
  const request = { messages: [], tools: [] };
  assert.deepEqual(requestBody("m", request, { official: false }), {
    model: "m",
    messages: [],
    stream: true,
    stream_options: { include_usage: true },
  });
  const all = {
    temperature: 0,
    maxOutput: 9,
    reasoning: "low",
    official: true,
  };
  const tools = [{
    name: "t",
    description: "d",
    parameters: { type: "object" },
  }];
  const body = requestBody("m", { messages: [], tools }, all);
  assert.deepEqual(
    [body.temperature, body.max_completion_tokens, body.reasoning_effort],
    [0, 9, "low"],
  );
  assert.deepEqual(body.tools, [{
    type: "function",
    function: { name: "t", description: "d", parameters: { type: "object" } },
  }]);
});

Deno.test("the options of openai refuse what is wrong", () => {
  for (
    const wrong of [
      { baseURL: "localhost:1234" },
      { baseURL: "unix://x.sock" },
      { baseURL: "http://" },
      { watchdogTimeout: "2 days" },
      { watchdogTimeout: 0 },
      { retries: -1 },
      { name: "" },
      { unknown: 1 },
      { headers: { a: 1 } },
    ]
  ) {
    assert.equal(
      safeParse(plugin.options, wrong).success,
      false,
      JSON.stringify(wrong),
    );
  }
  for (
    const right of [{}, { watchdogTimeout: "2m" }, {
      baseURL: "unix:///a b.sock:/v1",
    }]
  ) {
    assert.ok(safeParse(plugin.options, right).success);
  }
});
