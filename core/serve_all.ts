import { errorLine } from "./error.ts";
import type { Bundle } from "./plugin.ts";
import type { ServedTools, ServeRequest } from "./server.ts";

/** Starts the tool servers of all bundles at once. One that fails is told of, and the rest goes on. */
export async function serveAll(
  bundles: readonly Bundle[],
  request: ServeRequest,
  signal: AbortSignal,
): Promise<readonly ServedTools[]> {
  return await Promise.all(
    bundles.map((bundle) => serveOne(bundle, request, signal)),
  );
}

async function serveOne(
  bundle: Bundle,
  request: ServeRequest,
  signal: AbortSignal,
): Promise<ServedTools> {
  try {
    return await bundle.serve?.(request, signal) ?? nothing([]);
  } catch (error) {
    if (signal.aborted) return nothing([]);
    const plugin = bundle.name === undefined
      ? "a plugin"
      : `plugin "${bundle.name}"`;
    return nothing([
      `Cannot start the tool servers of ${plugin}: ${errorLine(error)}`,
    ]);
  }
}

function nothing(problems: readonly string[]): ServedTools {
  return { tools: [], problems, async [Symbol.asyncDispose]() {} };
}
