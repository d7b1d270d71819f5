import { Argument } from "@commander-js/extra-typings";
import type { AnyCommand, Run } from "./program.ts";

/** The editors `mm acp install` knows. */
const EDITORS = ["zed", "jetbrains", "neovim", "emacs", "acpx"];

/** Adds `mm acp`, which editors start, and `mm acp install`. */
export function addAcp(program: AnyCommand, run: Run): void {
  program.commandsGroup("Editors:");
  const command = program.command("acp")
    .description("Serve an editor (Agent Client Protocol on stdin and stdout)")
    .option("--log <file>", "write a log there instead of to stderr")
    .option("--setup", "choose a model server and check it, then leave")
    .action(({ log, setup }: { log?: string; setup?: true }) =>
      run(async (flags) => {
        if (!setup) return (await import("./acp.ts")).acp({ log }, flags);
        return (await import("./acp_setup.ts")).acpSetup(flags);
      })
    );
  command.command("install")
    .description("Add mm to the settings of an editor")
    .addArgument(new Argument("<editor>", "which one").choices(EDITORS))
    .option("--print", "print what would be added instead of adding it")
    .addHelpText("after", EXAMPLES)
    .action((editor: string, { print = false }: { print?: boolean }) =>
      run(async () =>
        (await import("./acp_install.ts")).acpInstall(editor, print)
      )
    );
}

const EXAMPLES = `
Examples:
  mm acp install zed            add mm to Zed's settings; a backup is left
  mm acp install zed --print    show what would be added`;
