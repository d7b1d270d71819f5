import type { AnyCommand, Run } from "../program.ts";
import { noSuchCommand } from "../usage.ts";

/** Adds `mm plugin …`, the commands on plugins. */
export function addPlugin(program: AnyCommand, run: Run): void {
  const plugin = program.command("plugin")
    .description("List, add and remove plugins: stores, models, tools")
    .usage("[command]")
    .addHelpText("after", EXAMPLES);
  plugin.helpCommand(false);
  plugin.command("list", { isDefault: true })
    .description("List the plugins there are, and where they are used")
    .allowExcessArguments() // a command that there is not
    .option("--json", JSON_HELP)
    .action((options, { args }) => {
      if (args.length > 0) throw noSuchCommand(plugin, args);
      return run(async (flags) =>
        (await import("./list.ts")).list(options, flags)
      );
    });
  plugin.command("info")
    .description("Show what a plugin is and which options it takes")
    .argument("<plugin>", NAME_HELP)
    .option("--json", JSON_HELP)
    .action((name, options) =>
      run(async (flags) =>
        (await import("./info.ts")).info(name, options, flags)
      )
    );
  plugin.command("add")
    .description("Use a plugin: agent.yaml is changed, its comments stay")
    .argument("<plugin>", NAME_HELP)
    .option(
      "-o, --option <key=value>",
      "an option of the plugin; may be repeated",
      (pair: string, all: readonly string[] = []) => [...all, pair],
    )
    .option(
      "--unset <key>",
      "an option that goes back to its default; may be repeated",
      (key: string, all: readonly string[] = []) => [...all, key],
    )
    .option("--no-copy", "of a store: leave the conversations where they are")
    .option(
      "-y, --yes",
      "do not ask; trusts a plugin from outside as it is now",
    )
    .option("--json", JSON_HELP)
    .action((name, options) =>
      run(async (flags) => (await import("./add.ts")).add(name, options, flags))
    );
  plugin.command("remove")
    .description(
      "Use a plugin no longer; a store's conversations go back to json",
    )
    .argument("<plugin>", NAME_HELP)
    .option("--no-copy", "of a store: leave the conversations where they are")
    .option("-y, --yes", "do not ask")
    .option("--json", JSON_HELP)
    .action((name, options) =>
      run(async (flags) =>
        (await import("./remove.ts")).remove(name, options, flags)
      )
    );
  plugin.command("trust")
    .description("Allow a plugin from outside to run, as it is now")
    .argument("[plugin...]", "default: all that agent.yaml names")
    .option("-y, --yes", "do not ask")
    .option("--json", JSON_HELP)
    .action((names, options) =>
      run(async (flags) =>
        (await import("./trust.ts")).trustPlugins(names, options, flags)
      )
    );
}

/** What every command that prints can be asked for. */
export interface JsonOption {
  readonly json?: true | undefined;
}

const JSON_HELP = "print it as JSON";

const NAME_HELP = "a built-in one, a path (./x.js), or npm:<package>";

const EXAMPLES = `
Examples:
  mm plugin add sqlite                    keep conversations in a database
  mm plugin remove sqlite                 go back to files
  mm plugin add openai -o name=qwen3 -o baseURL=http://127.0.0.1:8080/v1
  mm plugin add ./tools/weather.js        a plugin of your own (docs/plugins.md)`;
