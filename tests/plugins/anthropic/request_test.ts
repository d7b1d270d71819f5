import assert from "node:assert/strict";
import type { Message } from "../../../core/message.ts";
import {
  requestBody,
  wireMessages,
} from "../../../plugins/anthropic/request.ts";

const result = (id: string): Message => ({
  role: "tool",
  id: `t${id}`,
  toolCallId: id,
  name: "read",
  content: `result ${id}`,
  status: "completed",
  approval: "auto",
});

Deno.test("wireMessages() merges neighbours and puts tool results first", () => {
  const messages: Message[] = [
    { role: "system", id: "s", content: "A" },
    { role: "user", id: "1", content: "one" },
    { role: "user", id: "2", content: "two" },
    {
      role: "assistant",
      id: "3",
      content: "Reading \n",
      toolCalls: [
        { id: "call:1", name: "read", arguments: { path: "x" } },
        { id: "b", name: "read", arguments: "{bad" },
      ],
    },
    result("call:1"),
    { role: "user", id: "4", content: "and also" },
    result("b"),
  ];
  assert.deepEqual(wireMessages(messages), [
    {
      role: "user",
      content: [{ type: "text", text: "one" }, { type: "text", text: "two" }],
    },
    {
      role: "assistant",
      content: [
        { type: "text", text: "Reading" },
        { type: "tool_use", id: "call_1", name: "read", input: { path: "x" } },
        {
          type: "tool_use",
          id: "b",
          name: "read",
          input: { invalid_json: "{bad" },
        },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "call_1",
          content: "result call:1",
        },
        { type: "tool_result", tool_use_id: "b", content: "result b" },
        { type: "text", text: "and also" },
      ],
    },
  ]);
});

Deno.test("wireMessages() starts with the user and sends no empty text", () => {
  const messages: Message[] = [
    { role: "assistant", id: "1", content: "Hi" },
    { role: "user", id: "2", content: "  " },
    { role: "assistant", id: "3", content: "" },
    { role: "user", id: "4", content: "Go" },
  ];
  assert.deepEqual(
    wireMessages(messages).map((m) => [m.role, m.content[0]?.text]),
    [
      ["user", "(The beginning of this conversation is missing.)"],
      ["assistant", "Hi"],
      ["user", "Go"],
    ],
  );
});

Deno.test("requestBody() marks the system prompt and the last message for caching", () => {
  const messages: Message[] = [
    { role: "system", id: "s", content: "A" },
    {
      role: "user",
      id: "1",
      content: [
        { type: "image", data: "QUJD", mimeType: "image/png" },
        { type: "text", text: "what is it?" },
      ],
    },
  ];
  const tools = [{
    name: "t",
    description: "d",
    parameters: { type: "object" },
  }];
  const ephemeral = { cache_control: { type: "ephemeral" } };
  assert.deepEqual(
    requestBody("m", { messages, tools }, { maxOutput: 100, temperature: 0.5 }),
    {
      model: "m",
      max_tokens: 100,
      system: [{ type: "text", text: "A", ...ephemeral }],
      messages: [{
        role: "user",
        content: [
          {
            type: "image",
            source: { type: "base64", media_type: "image/png", data: "QUJD" },
          },
          { type: "text", text: "what is it?", ...ephemeral },
        ],
      }],
      tools: [{
        name: "t",
        description: "d",
        input_schema: { type: "object" },
      }],
      temperature: 0.5,
      stream: true,
    },
  );
});
