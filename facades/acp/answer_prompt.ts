import { RequestError } from "@agentclientprotocol/sdk";
import type { PromptResponse, StopReason } from "@agentclientprotocol/sdk";
import { dispatch } from "../../core/command.ts";
import { errorLine } from "../../core/error.ts";
import type { TurnReason, Update } from "../../core/event.ts";
import type { Content } from "../../core/message.ts";
import { commandHost } from "./commands.ts";
import { commandText } from "./content.ts";
import type { Conversation } from "./conversation.ts";
import { authRequired, internal } from "./fault.ts";

/** One prompt, and where it was given. */
export interface Asked {
  readonly conversation: Conversation;
  readonly content: Content;
  readonly signal: AbortSignal;
}

/** Runs a command or a turn. A turn that failed is an error whose message is the recorded line. */
export async function answerPrompt(asked: Asked): Promise<PromptResponse> {
  try {
    return { stopReason: await run(asked) };
  } catch (error) {
    if (error instanceof RequestError) throw error;
    throw internal(errorLine(error)); // the store cannot write
  }
}

async function run(asked: Asked): Promise<StopReason> {
  const { content, conversation, signal } = asked;
  const text = commandText(content);
  if (text !== undefined) {
    const reason = await runCommand(text, asked);
    if (reason) return reason;
  }
  conversation.expect(content);
  try {
    const end = await conversation.session.prompt(content, signal);
    if (end.status !== "failed") return stopReason(end.reason);
    const line = end.failure?.line ?? "The turn failed";
    if (end.reason === "max_turn_requests") {
      conversation.notice("error", line);
      return "max_turn_requests";
    }
    throw end.needsKey ? authRequired(line) : internal(line);
  } finally {
    conversation.unexpect(content);
  }
}

// A command may run a turn of its own (/retry), which may fail.
async function runCommand(
  text: string,
  { conversation, signal }: Asked,
): Promise<StopReason | undefined> {
  let failed: string | undefined;
  const listen = (update: Update) => {
    if (update.type === "failed" && update.kind === "generation") {
      failed = update.line;
    }
  };
  const stop = conversation.session.subscribe(listen);
  try {
    const ran = await dispatch(text, commandHost(conversation, signal));
    if (!ran) return undefined;
  } finally {
    stop();
  }
  if (signal.aborted) return "cancelled";
  if (failed !== undefined) throw internal(failed);
  return "end_turn";
}

function stopReason(reason: TurnReason): StopReason {
  switch (reason) {
    case "end_turn":
    case "max_tokens":
    case "refusal":
    case "cancelled":
    case "max_turn_requests":
      return reason;
    default:
      return "end_turn";
  }
}
