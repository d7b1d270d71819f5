import type { ServedTools } from "../../core/server.ts";
import type { Launches } from "./launch.ts";
import { Server, type ServerOptions } from "./server.ts";

/** Starts servers, all at once. One that fails is told of, and the rest goes on. */
export async function serve(
  { launches, problems }: Launches,
  options: ServerOptions,
  signal: AbortSignal,
): Promise<ServedTools> {
  const servers = launches.map((launch) => new Server(launch, options));
  const told = await Promise.all(servers.map((s) => s.start(signal)));
  return {
    get tools() {
      return servers.flatMap((server) => server.tools);
    },
    problems: [...problems, ...told.flat()],
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}
