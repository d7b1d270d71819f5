import type { ToolServer } from "../../core/server.ts";
import type { Server } from "./params.ts";

/** The tool servers the client brings, in core's words. */
export function toolServers(
  servers: readonly Server[] | null | undefined,
): ToolServer[] {
  return (servers ?? []).map((server) => {
    if ("url" in server) {
      const { type, name, url, headers } = server;
      return { type, name, url, headers: record(headers) };
    }
    const { name, command, args, env } = server;
    return { type: "stdio", name, command, args: args ?? [], env: record(env) };
  });
}

type Pair = { readonly name: string; readonly value: string };

function record(pairs: readonly Pair[] | null): Record<string, string> {
  return Object.fromEntries((pairs ?? []).map((p) => [p.name, p.value]));
}
