import { Command, CommanderError, Option } from "@commander-js/extra-typings";
import { APPROVAL_MODES } from "../../core/approval.ts";
import { addAcp } from "./acp_program.ts";
import { addAttach } from "./attach_program.ts";
import { EXIT } from "./exit.ts";
import type { Flags } from "./flags.ts";
import { print } from "./output.ts";
import { addPlugin } from "./plugin/program.ts";
import { addServe } from "./serve_program.ts";
import { addSessions } from "./sessions/program.ts";
import { addSetup } from "./setup_program.ts";
import { noSuchCommand, usageError } from "./usage.ts";
import { version } from "./version.ts";

/** Runs what a command stands for; resolves to its exit code. */
export type Job = (flags: Flags) => Promise<number>;

/** Hands a command's job to the one place that runs it. */
export type Run = (job: Job) => Promise<void>;

/** Reads a command line and runs it; resolves to the exit code. */
export async function runProgram(args: readonly string[]): Promise<number> {
  let code: number = EXIT.ok;
  let help = "";
  const program = makeProgram(async (job) => {
    code = await job(program.opts());
  });
  eachCommand(program, (command) => {
    command.exitOverride().configureOutput({
      writeOut: (text) => help += text,
      writeErr: (text) => help += text,
      outputError: () => {}, // told by `report`
    });
  });
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw usageError(error, program, args);
  }
  await print(help);
  return code;
}

/** Every command, flag and help text: help, completion and docs/cli.md read the same object. */
export function makeProgram(run: Run): Program {
  const program = new Command("mm")
    .description("A small coding agent whose conversations last.")
    .usage("[flags] [command]")
    .version(`mm ${version}`, "-V, --version", "print the version")
    .helpOption("-h, --help", "show this help")
    .optionsGroup("Flags (before or after any command):")
    .option("-C, --cwd <dir>", "work as if started in this folder")
    .option("--config <file>", "use this agent.yaml (also $MM_CONFIG)")
    .option("--model <name>", 'model to use, or "demo" (also $MM_MODEL)')
    .option("--base-url <url>", "OpenAI-compatible server to use")
    .option("--session <ref>", "resume: -1 is the latest, an id, or its title")
    .addOption(
      new Option("--approve <mode>", "who decides on tool calls").choices(
        APPROVAL_MODES,
      ),
    )
    .option("--no-color", "no colours (also $NO_COLOR)")
    .option("-q, --quiet", "answers and errors only")
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .addHelpText("after", EXAMPLES);
  program.commandsGroup("Talk:");
  program.command("run")
    .description("Ask one question, print the answer, save the conversation")
    .argument("[question...]", '"-", or none at all, reads it from stdin')
    .option("--json", "print every event as a line of JSON")
    .addHelpText("after", RUN_EXAMPLES)
    .action((words, { json = false }) =>
      run(async (flags) => {
        const { ask } = await import("./ask.ts");
        return await ask(words, json, flags);
      })
    );
  addSessions(program, run);
  addAcp(program, run);
  addServe(program, run);
  addAttach(program, run);
  addSetup(program, run);
  addPlugin(program, run);
  program.helpCommand(false);
  program.command("help")
    .description("Show the help of a command")
    .argument("[command...]")
    .action((path) => find(program, path).help());
  program.allowExcessArguments().action((_options, { args }) => {
    if (args.length > 0) throw noSuchCommand(program, args);
    return run(async (flags) => (await import("./talk.ts")).talk(flags));
  });
  return program;
}

/** The root command, as far as the rest needs to know it. */
export type Program = Command<[], FlagOptions>;

type FlagOptions = Flags & { readonly color: boolean; [name: string]: unknown };

/** A command of any shape. */
// deno-lint-ignore no-explicit-any
export type AnyCommand = Command<any, any, any>;

function eachCommand(
  command: AnyCommand,
  visit: (command: AnyCommand) => void,
): void {
  visit(command);
  for (const child of command.commands) eachCommand(child, visit);
}

function find(program: AnyCommand, path: readonly string[]): AnyCommand {
  return path.reduce((command: AnyCommand, name) => {
    const found = command.commands.find((c: AnyCommand) => c.name() === name);
    if (found) return found;
    throw noSuchCommand(command, [name]);
  }, program);
}

const EXAMPLES = `
Examples:
  mm                                  talk, in the terminal
  mm run "what does this project do"  one answer on stdout
  git diff | mm run "review this"     with material from stdin
  mm --session -1                     go on with the latest conversation
  mm init                             write an agent.yaml for the server it finds`;

const RUN_EXAMPLES = `
Examples:
  mm run why does the build fail
  mm run --approve all "make the tests pass"
  mm run --session -1 "and now the docs"
  mm run --json "list the files" | jq -j 'select(.type == "text").text'
  mm run < question.txt
Words that begin with "-" go after "--": mm run -- what does -q do`;
