import { join } from "node:path";
import type { ServedTools, ToolServer } from "../../../core/server.ts";
import {
  parseInput,
  type ToolContext,
  type ToolResult,
} from "../../../core/tool.ts";
import { checkOptions } from "../../../core/config.ts";
import { plugin } from "../../../plugins/mcp/plugin.ts";

const FAKE = join(import.meta.dirname ?? "", "fake_server.ts");

/** The fake server as a client would name it; `flags` are its faults. */
export function fake(
  name: string,
  flags: readonly string[] = [],
  env: Record<string, string> = {},
): ToolServer {
  return {
    type: "stdio",
    name,
    command: Deno.execPath(),
    args: ["run", "--quiet", "-A", FAKE, ...flags.map((f) => `--${f}`)],
    env,
  };
}

/** The same as it stands in agent.yaml. */
export function fakeOption(flags: readonly string[] = []) {
  const server = fake("x", flags);
  return server.type === "stdio"
    ? { command: server.command, args: server.args }
    : {};
}

/** Opens the plugin and serves a session with it. */
export async function serve(
  servers: readonly ToolServer[],
  options: Record<string, unknown> = {},
  signal = new AbortController().signal,
): Promise<ServedTools> {
  if (plugin.kind !== "plugin") throw new TypeError("No bundle");
  const bundle = await plugin.open(checkOptions(plugin.options, options, []), {
    project: Deno.cwd(),
    env: () => undefined,
    version: "0",
    commands: [],
    now: () => new Date(),
  });
  return await bundle.serve!({ servers, cwd: Deno.cwd() }, signal);
}

/** Runs a served tool as the agent would. */
export async function use(
  served: ServedTools,
  name: string,
  input: unknown = {},
  context: Partial<ToolContext> = {},
): Promise<ToolResult> {
  const tool = served.tools.find((t) => t.name === name);
  if (!tool) throw new Error(`There is no tool ${name}`);
  return await tool.run(parseInput(tool, input), toolContext(context));
}

/** A context for calls outside an agent. */
export function toolContext(context: Partial<ToolContext> = {}): ToolContext {
  return {
    cwd: Deno.cwd(),
    roots: [Deno.cwd()],
    sessionId: "s",
    toolCallId: "c",
    allowed: new Set(),
    output: () => {},
    signal: new AbortController().signal,
    ...context,
  };
}
