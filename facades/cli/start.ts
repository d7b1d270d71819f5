import { EXIT } from "./exit.ts";
import { guard } from "./guard.ts";
import { report } from "./report.ts";

/** Runs one command line; resolves to the exit code. Never throws. */
export async function start(args: readonly string[]): Promise<number> {
  guard();
  try {
    if (args[0] === COMPLETE) {
      const { complete } = await import("./complete.ts");
      return await complete(args.slice(1));
    }
    // An editor waits, and there is no command line to read.
    if (args.length === 1 && args[0] === "acp") {
      const { acp } = await import("./acp.ts");
      return await acp({}, {});
    }
    const { runProgram } = await import("./program.ts");
    return await runProgram(args);
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) return EXIT.ok;
    return report(error);
  }
}

/** What the completion scripts call; on no help page. */
const COMPLETE = "__complete";
