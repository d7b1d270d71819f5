import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { EXPORT_FORMATS } from "../../../core/export.ts";
import type { AnyCommand, Run } from "../program.ts";
import { noSuchCommand } from "../usage.ts";

/** Adds `mm sessions …`, the commands on stored conversations. */
export function addSessions(program: AnyCommand, run: Run): void {
  const sessions = program.command("sessions")
    .description("List, show, search, copy and remove conversations")
    .usage("[command]")
    .addHelpText("after", REFERENCES);
  sessions.helpCommand(false);
  sessions.command("list", { isDefault: true })
    .description("List conversations, newest first (the default)")
    .argument("[text...]", "only those with this in the title or id")
    .option("--limit <n>", "how many to list (default: 20)", count)
    .addOption(new Option("--all", "list every one").conflicts("limit"))
    .option("--json", JSON_HELP)
    .action((words, options) => {
      const named = sessions.args[0] === "list";
      if (words.length > 0 && !named) throw noSuchCommand(sessions, words);
      return run(async (flags) =>
        (await import("./list.ts")).list(words.join(" "), options, flags)
      );
    });
  sessions.command("show")
    .description("Print a conversation")
    .argument("[session]", ONE_HELP)
    .option("--full", "tool output too, whole")
    .option("--json", JSON_HELP)
    .action((ref, options) =>
      run(async (flags) =>
        (await import("./show.ts")).show(ref, options, flags)
      )
    );
  sessions.command("search")
    .description("Find the conversations that hold all these words")
    .argument("<words...>")
    .option("--limit <n>", "how many to list (default: 10)", count)
    .option("--json", JSON_HELP)
    .action((words, options) =>
      run(async (flags) =>
        (await import("./search.ts")).search(words, options, flags)
      )
    );
  sessions.command("export")
    .description("Write a conversation as a document")
    .argument("[session]", ONE_HELP)
    .addOption(
      new Option("--format <format>", "default: by the name of the file, md")
        .choices(EXPORT_FORMATS),
    )
    .option("-o, --output <file>", "write it there instead of to stdout")
    .option("--force", "overwrite a file that is there")
    .option("--json", "the same as --format json")
    .action((ref, options) =>
      run(async (flags) =>
        (await import("./export.ts")).exportTo(ref, options, flags)
      )
    );
  sessions.command("errors")
    .description("Show what went wrong in a conversation")
    .argument("[session]", ONE_HELP)
    .option("--json", JSON_HELP)
    .action((ref, options) =>
      run(async (flags) =>
        (await import("./errors.ts")).errors(ref, options, flags)
      )
    );
  sessions.command("rename")
    .description("Give a conversation another title")
    .argument("<session>", SESSION_HELP)
    .argument("<title...>")
    .option("--json", JSON_HELP)
    .action((ref, words, options) =>
      run(async (flags) =>
        (await import("./rename.ts")).rename(
          ref,
          words.join(" "),
          options,
          flags,
        )
      )
    );
  sessions.command("copy")
    .description("Copy conversations to another store, and check each")
    .argument("[session...]", "default: all of them")
    .option("--from <store>", "default: the configured store")
    .option("--to <store>", "default: the configured store")
    .option("--json", JSON_HELP)
    .addHelpText("after", COPY)
    .action((refs, options) =>
      run(async (flags) =>
        (await import("./copy.ts")).copy(refs, options, flags)
      )
    );
  sessions.command("import")
    .description("Take over conversations from files of other tools, or of mm")
    .argument("<file...>")
    .option("--json", JSON_HELP)
    .addHelpText("after", IMPORT)
    .action((files, options) =>
      run(async (flags) =>
        (await import("./import.ts")).importFiles(files, options, flags)
      )
    );
  sessions.command("rm")
    .description("Remove conversations for good")
    .argument("<session...>", SESSION_HELP)
    .option("-y, --yes", "do not ask")
    .option("--json", JSON_HELP)
    .action((refs, options) =>
      run(async (flags) => (await import("./rm.ts")).rm(refs, options, flags))
    );
}

/** What every command that prints can be asked for. */
export interface JsonOption {
  readonly json?: true | undefined;
}

function count(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected a number from 1.");
}

const JSON_HELP = "print it as JSON";

const SESSION_HELP =
  "-1 is the latest, or an id, its end, or text of the title";

const ONE_HELP = `${SESSION_HELP} (default: that of --session, else -1)`;

const COPY = `
A store is named as in agent.yaml, options in braces. What is there already is
left as it is; an earlier state of a conversation is brought up to date.

Examples:
  mm sessions copy --to sqlite
  mm sessions copy --from jsonl --to json -1
  mm sessions copy --from "{use: sqlite, path: old.db}"`;

const IMPORT = `
Known are sessions of Claude Code and pi (.jsonl), chats of gemini-cli (.json),
databases with a table "messages", and mm sessions export --json.

Examples:
  mm sessions import ~/.claude/projects/*/*.jsonl`;

const REFERENCES = `
A conversation is named by its place in the list (1 or -1 is the latest), its
id or the end of it, or text that only its title has.

Examples:
  mm sessions                         the latest 20
  mm sessions show 2
  mm sessions search "race condition"
  mm sessions export -1 -o talk.html
  mm sessions rm 3 4 --yes`;
