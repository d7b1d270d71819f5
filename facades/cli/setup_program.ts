import { Argument } from "@commander-js/extra-typings";
import type { AnyCommand, Run } from "./program.ts";

/** The shells `mm completions` writes for. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** Adds the commands that set mm up and look after it. */
export function addSetup(program: AnyCommand, run: Run): void {
  program.commandsGroup("Set up:");
  program.command("init")
    .description("Find a model server and write a commented agent.yaml")
    .option("--force", "overwrite an agent.yaml that is there")
    .option("--print", "print it instead of writing it")
    .action((options) =>
      run(async (flags) => (await import("./init.ts")).init(options, flags))
    );
  program.command("doctor")
    .description("Check configuration, server, model and sessions")
    .option(
      "--repair",
      "mend what can be mended; what is unreadable is set aside",
    )
    .option("--json", "print the checks as JSON")
    .action((options) =>
      run(async (flags) => (await import("./doctor.ts")).doctor(options, flags))
    );
  program.command("trust")
    .description("Let this project's agent.yaml do what it would do unasked")
    .option("-y, --yes", "do not ask")
    .option("--revoke", "take back all that this project was ever trusted with")
    .option("--json", "print it as JSON")
    .addHelpText("after", TRUST)
    .action((options) =>
      run(async (flags) =>
        (await import("./trust/command.ts")).trustProject(options, flags)
      )
    );
  program.command("schema")
    .description("Print the JSON Schema of agent.yaml")
    .action(() => run(async () => (await import("./schema.ts")).schema()));
  program.command("completions")
    .description("Print the completion script of a shell")
    .addArgument(new Argument("<shell>", "whose script").choices(SHELLS))
    .addHelpText("after", COMPLETIONS)
    .action((shell) =>
      run(async () => (await import("./completions.ts")).completions(shell))
    );
}

const TRUST = `
A project you cloned may start MCP servers, allow commands, send keys to a server
or load plugins only once you trust exactly that. Edits of anything else in
agent.yaml need no new answer (docs/configuration.md).`;

const COMPLETIONS = `
To use it in every new shell (make the folder first, where it is missing):
  bash: mm completions bash > ~/.local/share/bash-completion/completions/mm
  zsh:  mm completions zsh > ~/.zfunc/_mm   (with fpath+=~/.zfunc before compinit)
  fish: mm completions fish > ~/.config/fish/completions/mm.fish`;
