import { defineTool, type Tool } from "../../../core/tool.ts";
import { contentText } from "../../../core/message.ts";
import type {
  Model,
  ModelDelta,
  ModelReply,
  ModelRequest,
} from "../../../core/model.ts";
import { object, string } from "zod/mini";

/** A model that does what the last question says, slowly enough to be watched. */
export class Parrot implements Model {
  readonly name = "parrot";
  readonly contextWindow = 8_000;
  readonly #pause: number;
  readonly #end: Promise<void>;
  #calls = 0;

  /** What it is asked to do for ever comes to an end with `end`. */
  constructor(pauseMs = 5, end: Promise<void> = new Promise(() => {})) {
    this.#pause = pauseMs;
    this.#end = end;
  }

  async *stream(
    { messages, tools }: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelDelta, ModelReply> {
    const last = messages.at(-1);
    const asked = messages.findLast((m) => m.role === "user");
    const text = asked?.role === "user" ? contentText(asked.content) : "";
    const usage = { input: JSON.stringify(messages).length >> 2, output: 20 };
    if (tools.length === 0) {
      return { content: "They talked.", stopReason: "end_turn", usage };
    }
    if (last?.role === "user" && /fail/.test(text)) {
      throw new Error("The server at nowhere is down");
    }
    const name = /^(read|edit|shell)/.exec(text)?.[1];
    if (last?.role === "user" && name) {
      const thought = `They want me to ${name}.`;
      yield { type: "thought", text: thought };
      const toolCalls = [{
        id: `parrot-${Date.now()}-${++this.#calls}`,
        name,
        arguments: { text: text.slice(name.length).trim() },
      }];
      return {
        content: "",
        thought,
        toolCalls,
        stopReason: "tool_use",
        usage,
      };
    }
    const answer = last?.role === "tool"
      ? `It said:\n\n> ${last.content.split("\n")[0]}\n`
      : /for ever/.test(text)
      ? long(36)
      : /long/.test(text)
      ? long(200)
      : ANSWER;
    for (const word of answer.split(/(?<=\s)/)) {
      await new Promise((resolve) => setTimeout(resolve, this.#pause));
      signal.throwIfAborted();
      yield { type: "text", text: word };
    }
    if (/for ever/.test(text)) await Promise.race([aborted(signal), this.#end]);
    return { content: answer, stopReason: "end_turn", usage };
  }
}

function long(lines: number): string {
  return Array.from(
    { length: lines },
    (_, i) => `Line ${i} of a long answer.\n`,
  ).join("\n");
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}

const ANSWER = `## Two things

A **bold** claim with \`code\`, and a list:

1. first
2. second

\`\`\`ts
const answer = 42;
\`\`\`

| name | value |
| ---- | ----- |
| 你好 | 🎉    |
`;

const input = object({ text: string() });

/** Tools that pretend, so that nothing on disk changes. */
export const parrotTools: readonly Tool[] = [
  defineTool({
    name: "read",
    description: "Reads",
    kind: "read",
    input,
    plan: ({ text }) => ({ title: `Read ${text}`, access: "auto" }),
    run: ({ text }) =>
      Promise.resolve({ content: `1\t# ${text}\n2\t\n3\tThe end` }),
  }),
  defineTool({
    name: "edit",
    description: "Edits",
    kind: "edit",
    input,
    plan: ({ text }) => ({
      title: `Edit ${text}`,
      access: "edit",
      reason: "changes a file",
      scope: "edits in this project",
      diffs: [{
        path: `/p/${text}`,
        oldText: "one\ntwo\nthree\n",
        newText: /big/.test(text)
          ? "line of a large change\n".repeat(60)
          : "one\n2\nthree\nfour\n",
      }],
    }),
    run: ({ text }) => Promise.resolve({ content: `Edited ${text}` }),
  }),
  defineTool({
    name: "shell",
    description: "Runs",
    kind: "execute",
    input,
    plan: ({ text }) => ({
      title: `Run ${text}`,
      access: "ask",
      reason: "runs a command",
    }),
    async run({ text }, { output, signal }) {
      const lines = Array.from({ length: 12 }, (_, i) => `${text} line ${i}`);
      for (const line of lines) {
        output(`${line}\n`);
        await new Promise((resolve) => setTimeout(resolve, 20));
        signal.throwIfAborted();
      }
      return { content: lines.join("\n") };
    },
  }),
];
