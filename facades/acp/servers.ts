import type { McpServer } from "@agentclientprotocol/sdk";
import type { ToolServer } from "../../core/server.ts";
import { invalid } from "./fault.ts";

/** The tool servers the client brings, in core's words. */
export function toolServers(
  servers: readonly McpServer[] | null | undefined,
): ToolServer[] {
  return (servers ?? []).map((server) => {
    if (!("type" in server)) {
      const { name, command, args, env } = server;
      return { type: "stdio", name, command, args, env: record(env) };
    }
    const { type, name } = server;
    if (type !== "http" && type !== "sse") {
      throw invalid(`Cannot use MCP server "${name}": unknown type`);
    }
    const { url, headers } = server as { url: string; headers: Pair[] };
    return { type, name, url, headers: record(headers) };
  });
}

type Pair = { name: string; value: string };

function record(pairs: readonly Pair[] = []): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
