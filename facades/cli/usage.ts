import type { CommanderError } from "@commander-js/extra-typings";
import { nearest } from "../../core/nearest.ts";
import type { AnyCommand } from "./program.ts";
import { UsageError } from "./usage_error.ts";

/** What the parser says, as one line in mm's words. */
export function usageError(
  { message }: CommanderError,
  program: AnyCommand,
  args: readonly string[],
): UsageError {
  const said = message.replace(/^error: /, "").replaceAll("'", '"')
    .replace(/\.$/, "");
  const [what = "", hint] = said.split("\n");
  const near = hint?.replace(
    /^\((.*)\?\)$/,
    (_all, text: string) => `: ${text[0]?.toLowerCase()}${text.slice(1)}?`,
  ) ?? "";
  const help = near ? "" : `: see mm help${commandOf(program, args)}`;
  return new UsageError(`Cannot read the command line: ${what}${near}${help}`);
}

/** The words are no command: the nearest one, or how to ask them as a question. */
export function noSuchCommand(
  parent: AnyCommand,
  words: readonly string[],
): UsageError {
  const [word = ""] = words;
  const names = parent.commands.map((c: AnyCommand) => c.name());
  const near = nearest(word, names);
  const path = parent.parent ? `mm ${parent.name()}` : "mm";
  const way = near
    ? `did you mean ${path} ${near}?`
    : parent.parent
    ? `choose one of ${names.join(", ")}`
    : `see mm help, or ask it: mm run ${JSON.stringify(words.join(" "))}`;
  return new UsageError(`Cannot find command "${word}": ${way}`);
}

function commandOf(program: AnyCommand, args: readonly string[]): string {
  const names = program.commands.map((c: AnyCommand) => c.name());
  const name = args.find((arg) => names.includes(arg));
  return name ? ` ${name}` : "";
}
