import { UserError } from "../../core/error.ts";
import { EXIT } from "./exit.ts";
import { importedPlugins } from "./plugin/blame.ts";
import { report } from "./report.ts";

/** Sees to it that an error nobody awaited ends the program in one line too. */
export function guard(): void {
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    end(event.reason);
  });
  globalThis.addEventListener("error", (event) => {
    event.preventDefault();
    end(event.error);
  });
  // Nothing is left to wait for, and yet the end is not reached.
  globalThis.addEventListener("beforeunload", () => end(stuck()));
}

function stuck(): Error {
  const plugins = importedPlugins().map((name) => `"${name}"`).join(", ");
  return plugins === ""
    ? new Error("what is waited for never comes")
    : new UserError(`Cannot go on: plugin ${plugins} never answers`);
}

function end(error: unknown): never {
  Deno.exit(isClosedPipe(error) ? EXIT.ok : report(error));
}

// The reader of stdout went away (`mm … | head`): nobody is left to tell.
function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE" ||
    error instanceof Deno.errors.BrokenPipe;
}
