/// <reference lib="dom" />
import type { RemoteClient } from "../client/client.ts";
import type { CommandInfo } from "../wire.ts";
import { allCommands, commandIn } from "./completion.ts";

/** What a line may lead to besides a question. */
export interface Desk {
  readonly client: RemoteClient;
  /** Shows what a command said, Markdown, or its red line. */
  readonly note: (text: string, level?: "error") => void;
  readonly create: () => void;
  readonly sessions: () => void;
}

/** Does what was written: a command of the page, one of the server, or a question. */
export function submit(text: string, desk: Desk): void {
  const { client, note } = desk;
  const command = commandIn(text);
  switch (command?.name) {
    case undefined:
      // A refusal stays at the bubble.
      return void client.say(text.trim()).catch(() => {});
    case "help":
      return note(help(client.hello?.commands ?? []));
    case "new":
      return desk.create();
    case "sessions":
      return desk.sessions();
    default:
      return void run(text.trim(), desk);
  }
}

async function run(text: string, { client, note }: Desk): Promise<void> {
  const session = client.view?.session;
  if (session === undefined) return;
  note(`› \`${text.replaceAll("`", "'")}\``);
  try {
    const { said = [] } = await client.send<"command">({
      type: "command",
      session,
      text,
    });
    for (const words of said) note(words);
  } catch (error) {
    note(error instanceof Error ? error.message : String(error), "error");
  }
}

function help(served: readonly CommandInfo[]): string {
  const commands = allCommands(served).map(({ name, hint, summary }) =>
    `- \`/${name}${hint ? ` ${hint}` : ""}\`: ${summary}`
  );
  const touch = matchMedia("(pointer: coarse)").matches;
  const keys = touch ? [] : ["", "Keys:\n", ...KEYS];
  return ["Commands:\n", ...commands, ...keys].join("\n");
}

const KEYS = [
  "- `Enter`: Ask; while a turn runs, add to it",
  "- `Shift-Enter`: A new line",
  "- `Tab`: Complete a command",
  "- `Esc`: Stop the turn; what it produced is kept",
  "- `Ctrl-K`: Find a conversation",
];
