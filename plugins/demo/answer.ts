import {
  contentText,
  firstLine,
  type Message,
  type ToolCall,
  type ToolMessage,
} from "../../core/message.ts";
import type { ModelRequest } from "../../core/model.ts";
import { parseRequest, type Wish } from "./wish.ts";
import { summarise } from "./summary.ts";

/** What the demo does next. */
export interface Act {
  readonly text: string;
  readonly thought?: string;
  readonly call?: ToolCall;
  readonly fail?: true;
}

/** What it says when it does not understand. */
export const HELP = `I am the built-in demo model, not a real AI. I can follow:

- \`read FILE\`, \`list [FOLDER]\`, \`search TEXT [in FOLDER]\`
- \`write FILE: TEXT\`, \`edit FILE: OLD -> NEW\`
- \`run COMMAND\` or \`$ COMMAND\`
- \`think ABOUT SOMETHING\`, \`count to N\`, \`fail\`

Several, joined by " then ", are done one after the other.`;

/** Decides from the conversation alone, so the same one gets the same answer. */
export function answer({ messages, tools }: ModelRequest): Act {
  const at = messages.findLastIndex((m) => m.role === "user");
  const question = contentText(messages[at]?.content ?? "").trim();
  if (tools.length === 0 && /\bsummar(y|i[sz]e)/i.test(question)) {
    return { text: summarise(messages, at) };
  }
  const after = messages.slice(at + 1);
  const results = after.filter((m) => m.role === "tool");
  const wishes = parseRequest(question);
  const wish = wishes[results.length];
  const said = results.at(-1);
  const report = said ? reportOf(said) : "";
  if (!wish) return { text: report || "There is nothing to do." };
  const act = fulfil(wish, tools.map(({ name }) => name), idOf(messages));
  const text = [report, act.text].filter(Boolean).join("\n\n");
  // What is no tool call ends the answer, so the rest of the list is said too.
  return act.call || act.fail
    ? { ...act, text }
    : followed({ ...act, text }, wishes.slice(results.length + 1));
}

function fulfil(wish: Wish, tools: readonly string[], id: string): Act {
  switch (wish.type) {
    case "call":
      return tools.includes(wish.name)
        ? {
          text: wish.intent,
          call: { id, name: wish.name, arguments: wish.arguments },
        }
        : { text: `I would ${wish.name}, but there is no such tool here.` };
    case "count":
      return { text: numbers(wish.to) };
    case "think":
      return {
        thought:
          `The question is ${wish.about}. I am a demo, so my thoughts are short.`,
        text: `I thought about ${wish.about}.`,
      };
    case "fail":
      return { text: "", fail: true };
    case "help":
      return { text: HELP };
  }
}

function followed(act: Act, rest: readonly Wish[]): Act {
  if (rest.length === 0) return act;
  return {
    ...act,
    text:
      `${act.text}\n\n(The demo stops at the first part that needs no tool.)`,
  };
}

function reportOf({ name, status, content }: ToolMessage): string {
  const start = firstLine(content, 160);
  const lines = content.split("\n").filter((line) => line.trim()).length;
  const more = lines > 1
    ? ` (and ${lines - 1} more ${lines === 2 ? "line" : "lines"})`
    : "";
  if (status === "completed") {
    return start
      ? `The ${name} tool says: “${start}”${more}`
      : `The ${name} tool is done and said nothing.`;
  }
  return `The ${name} tool did not succeed (${status}): “${start}”${more}`;
}

function numbers(to: number): string {
  return Array.from({ length: to }, (_, i) => i + 1).join(" ");
}

// Unique in the conversation, and the same when it is asked again.
function idOf(messages: readonly Message[]): string {
  const calls = messages.filter((m) => m.role === "assistant")
    .flatMap((m) => m.toolCalls ?? []);
  const ids = new Set(calls.map(({ id }) => id));
  let n = ids.size + 1;
  while (ids.has(`demo_${n}`)) n++;
  return `demo_${n}`;
}
