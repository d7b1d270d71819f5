import type { Agent } from "../../../core/agent.ts";
import { type CommandHost, dispatch, offered } from "../../../core/command.ts";
import { UserError } from "../../../core/error.ts";
import type { Session } from "../../../core/session.ts";
import { Refused } from "./refused.ts";
import type { CommandInfo } from "../wire.ts";

/** What a client does itself: here it would be done to all, or on this machine. */
const CLIENTS_OWN = new Set(["new", "sessions", "export"]);

/** The commands a client may offer. */
export function commandList(agent: Agent): CommandInfo[] {
  return offered({ agent })
    .filter(({ name }) => !CLIENTS_OWN.has(name))
    .map(({ name, summary, hint }) => ({
      name,
      summary,
      ...(hint && { hint }),
    }));
}

/** Runs a command to its end, in the message `id`; what it said. Throws Refused with its red line. */
export async function runCommand(
  agent: Agent,
  session: Session,
  { text, id }: { readonly text: string; readonly id: string },
): Promise<readonly string[]> {
  const said: string[] = [];
  const failed: string[] = [];
  const { signal } = new AbortController();
  const host: CommandHost = {
    agent,
    session,
    signal,
    messageId: id,
    say: (markdown) => said.push(markdown),
    fail: (line) => failed.push(line),
    renew: () => {
      throw new UserError(
        "Cannot start a new conversation here: others may watch this one",
      );
    },
  };
  const isCommand = await dispatch(text, host);
  if (!isCommand) {
    throw new Refused("bad_message", "Cannot run it: a command starts with /");
  }
  if (failed.length > 0) throw new Refused("failed", failed.join("\n"));
  return said;
}
