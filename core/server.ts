import type { Tool } from "./tool.ts";

/** A server of tools (MCP), started for one session. `command` may be a name on the PATH. */
export type ToolServer = Readonly<
  | {
    type: "stdio";
    name: string;
    command: string;
    args: readonly string[];
    env: Readonly<Record<string, string>>;
  }
  | {
    type: "http" | "sse";
    name: string;
    url: string;
    headers: Readonly<Record<string, string>>;
  }
>;

/** Which servers to start, and where. */
export interface ServeRequest {
  /** Those that the session's client brought along. */
  readonly servers: readonly ToolServer[];
  /** The session's folder, absolute. */
  readonly cwd: string;
}

/** The tools of running servers; disposing stops the servers. */
export interface ServedTools extends AsyncDisposable {
  /** What the servers offer. */
  readonly tools: readonly Tool[];
  /** One line for each server that could not be used, and why. */
  readonly problems: readonly string[];
}
