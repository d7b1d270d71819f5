import { AnthropicModel } from "../../plugins/anthropic/model.ts";
import { plugin as anthropicPlugin } from "../../plugins/anthropic/plugin.ts";
import { OpenAiModel } from "../../plugins/openai/model.ts";
import { plugin as openaiPlugin } from "../../plugins/openai/plugin.ts";
import { parse } from "zod/v4/core";
import { ModelError } from "../../core/error.ts";
import type { Message } from "../../core/message.ts";
import type {
  Model,
  ModelDelta,
  ModelReply,
  ModelRequest,
} from "../../core/model.ts";

/** A host with these environment variables and a fixed clock is enough for a model. */
export function hostOf(env: Record<string, string> = {}) {
  return { env: (name: string) => env[name], now: () => new Date() };
}

// Retries without waiting, and without chance.
const TIMING = { backoffMs: 1, random: () => 0 };

/** An `openai` model with checked options and instant retries. */
export function openaiModel(
  options: Record<string, unknown>,
  env: Record<string, string> = {},
): OpenAiModel {
  const checked = parse(openaiPlugin.options, { name: "m", ...options });
  // deno-lint-ignore no-explicit-any -- the plugin hides the schema's type
  return new OpenAiModel(checked as any, hostOf(env), TIMING);
}

/** An `anthropic` model with checked options and instant retries. */
export function anthropicModel(
  options: Record<string, unknown>,
  env: Record<string, string> = { ANTHROPIC_API_KEY: "sk-ant-secret" },
): AnthropicModel {
  const checked = parse(anthropicPlugin.options, { name: "m", ...options });
  // deno-lint-ignore no-explicit-any -- the plugin hides the schema's type
  return new AnthropicModel(checked as any, hostOf(env), TIMING);
}

/** What one call of a model came to. */
export interface Outcome {
  readonly deltas: readonly ModelDelta[];
  readonly reply: ModelReply;
}

/** A request with one question. */
export function question(text: string): ModelRequest {
  return {
    messages: [
      { role: "system", id: "s", content: "Be brief." },
      { role: "user", id: "u", content: text },
    ] satisfies Message[],
    tools: [],
  };
}

/** Runs a model to its end. */
export async function collect(
  model: Model,
  request: ModelRequest = question("Hello"),
  signal: AbortSignal = new AbortController().signal,
): Promise<Outcome> {
  const deltas: ModelDelta[] = [];
  const stream = model.stream(request, signal);
  let step = await stream.next();
  for (; !step.done; step = await stream.next()) deltas.push(step.value);
  return { deltas, reply: step.value };
}

/** The ModelError of a model that must fail; `deltas` is what it yielded before. */
export async function failure(
  model: Model,
  request?: ModelRequest,
): Promise<ModelError & { deltas: ModelDelta[] }> {
  const deltas: ModelDelta[] = [];
  try {
    const stream = model.stream(
      request ?? question("Hello"),
      new AbortController().signal,
    );
    let step = await stream.next();
    for (; !step.done; step = await stream.next()) deltas.push(step.value);
    throw new Error(`Got an answer: ${JSON.stringify(step.value)}`);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    if (/[\r\n]/.test(error.message)) throw new Error("More than one line");
    return Object.assign(error, { deltas });
  }
}

/** The deltas' texts of one type, joined. */
export function said(deltas: readonly ModelDelta[], type: "text" | "thought") {
  return deltas.map((d) => d.type === type ? d.text : "").join("");
}
