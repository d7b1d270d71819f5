/** What must pass before every commit: `deno task ok`. */
import { run } from "./lib/command.ts";
import { Failure, main } from "./lib/failure.ts";

const HELP = `Usage: deno task ok [--no-tests]

Runs every check and prints one line for each; the output of those that fail.

  --no-tests  leave the tests out, and say so
  --help      show this text`;

const STEPS = {
  "fmt": ["fmt", "--check"],
  "lint": ["lint"],
  "check": ["task", "check"],
  "doc": ["doc", "--lint", "mod.ts"],
  "imports": ["run", "--allow-all", "scripts/check_imports.ts"],
  "tests": ["task", "test"],
};

await main(async () => {
  const wrong = Deno.args.find((arg) =>
    arg !== "--no-tests" && arg !== "--help"
  );
  if (wrong) throw new Failure(`Cannot read option "${wrong}": see --help`);
  if (Deno.args.includes("--help")) {
    console.log(HELP);
    return 0;
  }
  const failed: string[] = [];
  for (const [name, args] of Object.entries(STEPS)) {
    if (name === "tests" && Deno.args.includes("--no-tests")) {
      console.log("skip  tests    --no-tests");
    } else if (!await step(name, args)) failed.push(name);
  }
  if (failed.length === 0) return 0;
  console.log(`Not ok: ${failed.join(", ")}`);
  return 1;
});

async function step(name: string, args: readonly string[]): Promise<boolean> {
  const start = performance.now();
  const { ok, output } = await run(Deno.execPath(), args);
  const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(5);
  const count = /^(?:ok|FAILED) \| (.*) \(.*\)$/m.exec(output)?.[1] ?? "";
  const word = ok ? "ok  " : "FAIL";
  console.log(`${word}  ${name.padEnd(7)} ${seconds} s  ${count}`.trimEnd());
  if (!ok) {
    console.log(output.replace(/^(Check|Task|Download) .*\n/gm, "").trim());
  }
  return ok;
}
