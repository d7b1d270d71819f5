import type { AgentHandle, SessionHandle } from "./handle.ts";

/** What a command may ask of the facade that runs it. */
export interface CommandHost {
  /** The agent the facade is on. */
  readonly agent: AgentHandle;
  /** The session the facade shows now. */
  readonly session: SessionHandle;
  /** Cancels what the command started. */
  readonly signal: AbortSignal;
  /** The id of the question that the command asks, if it asks one. Default: a fresh one. */
  readonly messageId?: string;
  /** Shows a command's answer; Markdown. */
  say(markdown: string): void;
  /** Shows a red line as it is. */
  fail(line: string): void;
  /** Opens a new conversation in the facade's own way: mint an id, or rotate the one it holds. */
  renew(): Promise<void>;
  /** Shows another session, replaying it. Absent where the other side owns the id. */
  show?(session: SessionHandle): Promise<void>;
  /** Lets the user choose a session; undefined when nothing was chosen. Absent off a TTY. */
  browse?(text: string): Promise<string | undefined>;
  /** Writes a file named like `name` where the user will find it; resolves to its path. */
  save?(name: string, text: string): Promise<string>;
  /** Runs a turn in the facade's own way (spinner, Esc); absent: the command runs it itself. */
  ask?(turn: (signal: AbortSignal) => Promise<unknown>): Promise<void>;
  /** What its keys do, for help; Markdown. Absent where there are none. */
  readonly keys?: string;
  /** Leaves the facade. Absent where the other side decides. */
  quit?(): void;
}

/** A `/name` the user may type. */
export interface Command {
  /** What is typed behind the slash. */
  readonly name: string;
  /** One line, for help and completion. */
  readonly summary: string;
  /** How its arguments are written: `[n|id|text]`. */
  readonly hint?: string;
  /** Possible arguments that start with `prefix`. */
  complete?(prefix: string, host: CommandHost): Promise<readonly string[]>;
  /** Does it; throwing shows the message as a red line. */
  run(args: string, host: CommandHost): void | Promise<void>;
}

/** Names the type; does nothing else. */
export function defineCommand(command: Command): Command {
  return command;
}

/** The commands to offer in the facade of `host`: not those it has no means for. */
export function offered(
  { agent, quit, show }: Pick<CommandHost, "agent" | "quit" | "show">,
): readonly Command[] {
  return agent.commands.filter(({ name }) =>
    (name !== "quit" || quit) && (name !== "resume" || show)
  );
}

/** `/name args`, or undefined when `input` is no command. A path such as `/etc/hosts` is none. */
export function parseCommand(
  input: string,
): { name: string; args: string } | undefined {
  const [, name, args = ""] = /^\/([a-z][\w-]*)(?:\s+(.*))?$/s.exec(
    input.trim(),
  ) ?? [];
  return name === undefined ? undefined : { name, args: args.trim() };
}

/**
 * Runs the command `input` names. False when `input` is no command, so it is
 * a question; an unknown name is told, with the nearest known one. A command
 * that throws is told too: it never takes the facade down.
 */
export async function dispatch(
  input: string,
  host: CommandHost,
): Promise<boolean> {
  const parsed = parseCommand(input);
  if (!parsed) return false;
  const command = host.agent.commands.find((c) => c.name === parsed.name);
  if (!command) {
    const { nearest } = await import("./nearest.ts");
    const near = nearest(parsed.name, host.agent.commands.map((c) => c.name));
    host.fail(
      `Cannot find command /${parsed.name}: ${
        near ? `did you mean /${near}?` : "see /help"
      }`,
    );
    return true;
  }
  try {
    await command.run(parsed.args, host);
  } catch (error) {
    const { errorLine } = await import("./error.ts");
    host.fail(errorLine(error));
  }
  return true;
}
