import { resolve } from "node:path";
import type { ServeRequest, ToolServer } from "../../core/server.ts";
import type { Options } from "./options.ts";
import { plain } from "./plain.ts";

/** A server to start, and the folder it is started in. */
export type Launch = ToolServer & { readonly cwd: string };

/** What is to be started, and what had to give way. */
export interface Launches {
  readonly launches: readonly Launch[];
  readonly problems: readonly string[];
}

/** The configuration's servers and the session's own; of one name, the last wins. */
export function allLaunches(
  servers: Options["servers"],
  { servers: own, cwd }: ServeRequest,
  project: string,
): Launches {
  const byName = new Map<string, Launch>();
  const problems: string[] = [];
  for (const [name, server] of Object.entries(servers)) {
    byName.set(name, configured(name, server, project));
  }
  for (const server of own) {
    const { name } = server;
    if (byName.has(name)) {
      problems.push(
        `MCP server "${
          plain(name, 60)
        }" is named twice: the session's own one is used`,
      );
    }
    byName.set(name, { ...server, cwd });
  }
  return { launches: [...byName.values()], problems };
}

function configured(
  name: string,
  server: Options["servers"][string],
  project: string,
): Launch {
  if ("url" in server) {
    const { type, url, headers } = server;
    return { type, name, url, headers: texts(headers), cwd: project };
  }
  const { command, args, env, cwd = "." } = server;
  return {
    type: "stdio",
    name,
    command,
    args: args.map(String),
    env: texts(env),
    cwd: resolve(project, cwd),
  };
}

function texts(
  values: Readonly<Record<string, unknown>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, String(value)]),
  );
}
