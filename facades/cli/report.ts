import { ConfigError, errorLine, UserError } from "../../core/error.ts";
import { paint } from "./color.ts";
import { EXIT } from "./exit.ts";
import { say } from "./output.ts";
import { blamed } from "./plugin/blame.ts";
import { UsageError } from "./usage_error.ts";

/** Tells on stderr, in one line, what went wrong; gives the exit code. */
export function report(error: unknown): number {
  if (error instanceof UserError) {
    say(paint("red", errorLine(error)));
    const usage = error instanceof UsageError || error instanceof ConfigError;
    return usage ? EXIT.usage : EXIT.failed;
  }
  const debug = Boolean(Deno.env.get("MM_DEBUG"));
  const plugin = blamed(error);
  const line = plugin === undefined
    ? `Unexpected error: ${errorLine(error)} (this is a bug in mm${
      debug ? "" : "; MM_DEBUG=1 shows where"
    })`
    : `Plugin "${plugin}" failed: ${
      errorLine(error)
    } (mm plugin remove ${plugin} does without it)`;
  say(paint("red", line));
  if (debug && error instanceof Error) say(error.stack ?? "");
  return EXIT.failed;
}
