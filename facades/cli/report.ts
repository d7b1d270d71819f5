import { ConfigError, errorLine, UserError } from "../../core/error.ts";
import { paint } from "./color.ts";
import { EXIT } from "./exit.ts";
import { say } from "./output.ts";
import { blamed } from "./plugin/blame.ts";
import { UsageError } from "./usage_error.ts";

/** Tells on stderr, in one line, what went wrong; gives the exit code. */
export function report(error: unknown): number {
  if (error instanceof UserError) {
    say(paint("red", shortened(errorLine(error))));
    const usage = error instanceof UsageError || error instanceof ConfigError;
    return usage ? EXIT.usage : EXIT.failed;
  }
  const debug = Boolean(Deno.env.get("MM_DEBUG"));
  const plugin = blamed(error);
  const line = plugin === undefined
    ? `Unexpected error: ${shortened(errorLine(error))} (this is a bug in mm${
      debug ? "" : "; MM_DEBUG=1 shows where"
    })`
    : `Plugin "${plugin}" failed: ${
      shortened(errorLine(error))
    } (mm plugin remove ${plugin} does without it)`;
  say(paint("red", line));
  if (debug && error instanceof Error) say(error.stack ?? "");
  return EXIT.failed;
}

// What was given may be a whole file: its end goes, and the way out stays.
function shortened(line: string): string {
  if (line.length <= MAX_LINE) return line;
  const cut = `${line.slice(0, MAX_LINE / 2)}…${line.slice(-MAX_LINE / 2)}`;
  return cut.toWellFormed();
}

const MAX_LINE = 2000;
