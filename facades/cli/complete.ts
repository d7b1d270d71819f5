import { keepers, plugins } from "../../plugins/table.ts";
import { EXIT } from "./exit.ts";
import type { Flags } from "./flags.ts";
import { print } from "./output.ts";
import { type AnyCommand, makeProgram } from "./program.ts";

/**
 * What the completion scripts ask: which words could stand last in `words`?
 * Prints one a line, with a tab and a few words on it. Nothing at all leaves
 * it to the shell, which then offers files.
 */
export async function complete(words: readonly string[]): Promise<number> {
  const last = words.at(-1) ?? "";
  const seen = walk(makeProgram(async () => {}), words.slice(0, -1));
  const candidates = await candidatesOf(seen, last);
  const lines = candidates.filter(([value]) => value.startsWith(last))
    .map(([value, help]) => `${value}\t${help}\n`);
  await print(lines.join(""));
  return EXIT.ok;
}

type Candidate = readonly [value: string, help: string];

/** Where the words lead. */
interface Seen {
  readonly root: AnyCommand;
  readonly command: AnyCommand;
  /** How many arguments the command has been given. */
  readonly given: number;
  /** The option whose value comes next. */
  readonly option?: AnyOption;
  readonly flags: Flags;
}

type AnyOption = AnyCommand["options"][number];

function walk(root: AnyCommand, words: readonly string[]): Seen {
  let command = root;
  let given = 0;
  let option: AnyOption | undefined;
  const flags: Record<string, string> = {};
  for (const word of words) {
    if (option) {
      flags[option.attributeName()] = word;
      option = undefined;
    } else if (word.startsWith("-")) {
      option = optionsOf(root, command).find((o) =>
        o.required && (o.short === word || o.long === word)
      );
    } else {
      const child = given === 0 ? childOf(command, word) : undefined;
      if (child) command = child;
      else given++;
    }
  }
  return { root, command, given, flags, ...(option && { option }) };
}

async function candidatesOf(seen: Seen, last: string): Promise<Candidate[]> {
  const { root, command, given, option, flags } = seen;
  if (option) {
    if (option.long === "--session") return await sessions(flags);
    if (option.flags.endsWith("<store>")) {
      return keepers.map((name) => [name, ""]);
    }
    return (option.argChoices ?? []).map((choice) => [choice, ""]);
  }
  if (last.startsWith("-")) {
    return optionsOf(root, command).filter((o) => o.long)
      .map((o) => [o.long ?? "", o.description]);
  }
  if (command.commands.length > 0 && given === 0) return subcommands(command);
  if (command.name() === "help") return subcommands(root);
  const args = command.registeredArguments;
  const argument = args[given] ??
    (args.at(-1)?.variadic ? args.at(-1) : undefined);
  switch (argument?.name()) {
    case "session":
    case "url": // of mm attach: a session may stand in its place
      return await sessions(flags);
    case "plugin":
      return Object.keys(plugins).map((name) => [name, ""]);
    default:
      return (argument?.argChoices ?? []).map((choice) => [choice, ""]);
  }
}

function optionsOf(
  root: AnyCommand,
  command: AnyCommand,
): readonly AnyOption[] {
  return command === root
    ? root.options
    : [...command.options, ...root.options];
}

function childOf(command: AnyCommand, name: string): AnyCommand | undefined {
  return command.commands.find((c: AnyCommand) => c.name() === name);
}

function subcommands(command: AnyCommand): Candidate[] {
  return command.commands.map((
    c: AnyCommand,
  ) => [c.name(), c.summary() || c.description()]);
}

// Completion has no way to tell a mistake: where there is one, it offers nothing.
async function sessions(flags: Flags): Promise<Candidate[]> {
  try {
    const { openSessions } = await import("./sessions/open_sessions.ts");
    await using agent = await openSessions(flags);
    const { items } = await agent.list({ limit: 50 });
    return items.map(({ id, title, unreadable }) => [
      id,
      unreadable ? "unreadable" : title.replaceAll("\t", " "),
    ]);
  } catch {
    return [];
  }
}
