import { EXIT } from "./exit.ts";
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
}

function end(error: unknown): never {
  Deno.exit(isClosedPipe(error) ? EXIT.ok : report(error));
}

// The reader of stdout went away (`mm … | head`): nobody is left to tell.
function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE" ||
    error instanceof Deno.errors.BrokenPipe;
}
