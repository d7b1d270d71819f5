import {
  argumentPieces,
  type Dialect,
  type Scripted,
  words,
} from "./dialect.ts";

/** OpenAI's chat completions, as most local servers speak them. */
export const openai: Dialect = {
  name: "openai",
  ending: 3,
  frames(answer) {
    const { text = "", thought = "", usage = estimate(answer) } = answer;
    const calls = (answer.calls ?? []).flatMap((call, index) => [
      chunk({
        tool_calls: [{
          index,
          id: call.id ?? `call_${index}`,
          type: "function",
          function: { name: call.name, arguments: "" },
        }],
      }),
      ...argumentPieces(call.arguments).map((piece) =>
        chunk({ tool_calls: [{ index, function: { arguments: piece } }] })
      ),
    ]);
    return [
      chunk({ role: "assistant", content: "" }),
      ...words(thought).map((t) => chunk({ reasoning_content: t })),
      ...words(text).map((t) => chunk({ content: t })),
      ...calls,
      chunk({}, finishOf(answer)),
      frame({ ...BASE, choices: [], usage: wireUsage(usage) }),
      "data: [DONE]\n\n",
    ];
  },
  whole(answer) {
    const { text = null, thought, calls = [], usage = estimate(answer) } =
      answer;
    return {
      ...BASE,
      object: "chat.completion",
      choices: [{
        index: 0,
        message: {
          role: "assistant",
          content: text,
          ...thought && { reasoning_content: thought },
          ...calls.length > 0 && {
            tool_calls: calls.map((call, i) => ({
              id: call.id ?? `call_${i}`,
              type: "function",
              function: {
                name: call.name,
                arguments: argumentPieces(call.arguments).join(""),
              },
            })),
          },
        },
        finish_reason: finishOf(answer),
      }],
      usage: wireUsage(usage),
    };
  },
  error: (message, type, status) => ({
    error: { message, type, param: null, code: status },
  }),
  errorFrame(message, type, status) {
    return frame(this.error(message, type, status));
  },
  models: (names) => ({
    object: "list",
    data: names.map((id) => ({ id, object: "model", owned_by: "library" })),
  }),
};

const BASE = { id: "chatcmpl-1", object: "chat.completion.chunk", model: "m" };

function chunk(delta: unknown, finish: string | null = null): string {
  return frame({
    ...BASE,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
}

function frame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function finishOf({ finish, calls }: Scripted): string {
  return finish ?? (calls?.length ? "tool_calls" : "stop");
}

function wireUsage(usage: { input: number; output: number; cached?: number }) {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    ...usage.cached !== undefined &&
      { prompt_tokens_details: { cached_tokens: usage.cached } },
  };
}

function estimate({ text = "", thought = "" }: Scripted) {
  return { input: 10, output: words(text + thought).length };
}
