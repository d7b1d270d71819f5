import {
  argumentPieces,
  type Dialect,
  type Scripted,
  words,
} from "./dialect.ts";

/** Anthropic's Messages API. */
export const anthropic: Dialect = {
  name: "anthropic",
  ending: 2,
  frames(answer) {
    const { usage = { input: 10, output: 5 } } = answer;
    return [
      frame("message_start", {
        message: {
          id: "msg_1",
          role: "assistant",
          content: [],
          usage: {
            input_tokens: usage.input - (usage.cached ?? 0),
            cache_read_input_tokens: usage.cached ?? 0,
            cache_creation_input_tokens: 0,
            output_tokens: 1,
          },
        },
      }),
      frame("ping", {}),
      ...blocks(answer).flatMap(({ start, deltas }, index) => [
        frame("content_block_start", { index, content_block: start }),
        ...deltas.map((delta) =>
          frame("content_block_delta", { index, delta })
        ),
        frame("content_block_stop", { index }),
      ]),
      frame("message_delta", {
        delta: { stop_reason: finishOf(answer), stop_sequence: null },
        usage: { output_tokens: usage.output },
      }),
      frame("message_stop", {}),
    ];
  },
  whole(answer) {
    const { text, calls = [], usage = { input: 10, output: 5 } } = answer;
    return {
      id: "msg_1",
      type: "message",
      role: "assistant",
      content: [
        ...text === undefined ? [] : [{ type: "text", text }],
        ...calls.map((call, i) => ({
          type: "tool_use",
          id: call.id ?? `toolu_${i}`,
          name: call.name,
          input: call.arguments,
        })),
      ],
      stop_reason: finishOf(answer),
      usage: { input_tokens: usage.input, output_tokens: usage.output },
    };
  },
  error: (message, type) => ({ type: "error", error: { type, message } }),
  errorFrame: (message, type) => frame("error", { error: { type, message } }),
  models: (names) => ({
    data: names.map((id) => ({ type: "model", id, display_name: id })),
    has_more: false,
  }),
};

function blocks({ thought, text, calls = [] }: Scripted) {
  const found: { start: unknown; deltas: unknown[] }[] = [];
  if (thought !== undefined) {
    found.push({
      start: { type: "thinking", thinking: "", signature: "" },
      deltas: [
        ...words(thought).map((t) => ({ type: "thinking_delta", thinking: t })),
        { type: "signature_delta", signature: "sig" },
        { type: "signature_delta", signature: "nature" },
      ],
    });
  }
  if (text !== undefined) {
    found.push({
      start: { type: "text", text: "" },
      deltas: words(text).map((t) => ({ type: "text_delta", text: t })),
    });
  }
  calls.forEach((call, i) =>
    found.push({
      start: {
        type: "tool_use",
        id: call.id ?? `toolu_${i}`,
        name: call.name,
        input: {},
      },
      deltas: argumentPieces(call.arguments).map((piece) => ({
        type: "input_json_delta",
        partial_json: piece,
      })),
    })
  );
  return found;
}

function frame(type: string, value: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`;
}

function finishOf({ finish, calls }: Scripted): string {
  return finish ?? (calls?.length ? "tool_use" : "end_turn");
}
