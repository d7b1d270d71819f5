import type { AvailableCommand } from "@agentclientprotocol/sdk";
import type { Agent } from "../../core/agent.ts";
import { type CommandHost, offered } from "../../core/command.ts";
import type { Conversation } from "./conversation.ts";
import { saveFile } from "./save_file.ts";

/** The commands a client may offer. */
export function commandList(agent: Agent): AvailableCommand[] {
  return offered({ agent }).map(({ name, summary, hint }) => ({
    name,
    description: summary,
    ...(hint && { input: { hint } }),
  }));
}

/** What commands may do here. The client owns the id, so nothing else can be shown under it. */
export function commandHost(
  conversation: Conversation,
  signal: AbortSignal,
): CommandHost {
  const { agent, session } = conversation;
  return {
    agent,
    session,
    signal,
    say: (markdown) => conversation.say(markdown),
    fail: (line) => conversation.say(line),
    renew: async () => {
      const kept = await session.rotate();
      conversation.say(
        kept
          ? `This is a new conversation. The one before is kept as ${kept}.`
          : "This is a new conversation.",
      );
      if (kept) await session.begin(); // the client will load the id it holds
    },
    save: (name, text) => {
      const [folder = agent.cwd] = session.settings.roots;
      return saveFile(folder, name, text);
    },
    ask: async (turn) => void await turn(signal),
  };
}
