import { type Outcome, reason, run } from "../lib/command.ts";
import { Failure } from "../lib/failure.ts";
import type { Bundle } from "./bundle.ts";
import { npmRuntime } from "./npm_runtime.ts";
import type { Options } from "./options.ts";

const NPM_CLI = "deno@2.6.8"; // the one that fits the pinned runtime

/** Seals a bundle into one executable and returns its path. */
export async function seal(bundle: Bundle, options: Options): Promise<string> {
  const { output, target } = options;
  const args = [
    "compile",
    "--quiet",
    "--allow-all",
    "--no-lock",
    "--no-check",
    "--no-code-cache", // a predictable file in a shared temporary folder
    `--v8-flags=${HEAP.join(",")}`,
    `--config=${bundle.config}`,
    `--output=${output}`,
    ...(target ? [`--target=${target}`] : []),
    ...bundle.include.flatMap((file) => ["--include", file]),
    bundle.main,
  ];
  if (options.runtime === "npm") await withNpmRuntime(args, target);
  else await withOwnRuntime(args);
  return target?.includes("windows") && !output.endsWith(".exe")
    ? `${output}.exe`
    : output;
}

const HEAP = [
  "--max-semi-space-size=8", // reading 50 MB takes 40 MB less
  "--initial-heap-size=64", // a start and a short reading need no full collection
];

async function withOwnRuntime(args: readonly string[]): Promise<void> {
  const outcome = await run(Deno.execPath(), args);
  if (outcome.ok) return;
  if (!outcome.output.includes("Setting up base binary")) {
    throw refused(outcome);
  }
  throw new Failure(
    `Cannot download Deno's runtime: check the network, ` +
      `or where only npm is reachable use --runtime=npm`,
    { cause: reason(outcome) },
  );
}

async function withNpmRuntime(
  args: readonly string[],
  target: string | undefined,
): Promise<void> {
  const env = { DENORT_BIN: await npmRuntime(target) };
  const outcome = await run("npx", ["-y", NPM_CLI, ...args], env);
  if (!outcome.ok) throw refused(outcome);
}

function refused(outcome: Outcome): Failure {
  return new Failure(`Cannot compile the bundle: ${reason(outcome)}`);
}
