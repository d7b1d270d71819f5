/**
 * mm as a library: make an agent, ask it, keep the conversation.
 *
 * ```ts
 * import { createAgent } from "mm";
 *
 * await using agent = await createAgent({ cwd: "/path/to/project" });
 * const session = agent.create();
 * const { status } = await session.prompt("read README.md");
 * console.log(status, session.state.messages.at(-1)?.content);
 * ```
 *
 * @module
 */
import type { Agent } from "./core/agent.ts";
import type { ApprovalMode } from "./core/approval.ts";
import { assemble } from "./core/assemble.ts";
import { checkConfig } from "./core/config.ts";
import type { ConfigInput } from "./core/config.ts";
import deno from "./deno.json" with { type: "json" };
import { plugins } from "./plugins/table.ts";

/** What `createAgent` takes. */
export interface CreateAgentOptions {
  /** The project's folder, absolute. */
  readonly cwd: string;
  /** What agent.yaml would say. Default: the demo model, JSON sessions, approvals asked. */
  readonly config?: ConfigInput;
  /** Who decides on tool calls. Default: the configuration's `approvals.mode`. */
  readonly mode?: ApprovalMode;
  /** Added to the system prompt. */
  readonly instructions?: string;
  /** Where `apiKey` and the like come from. Default: nowhere. */
  readonly env?: (name: string) => string | undefined;
}

/** Makes an agent with the built-in plugins. Throws a ConfigError when `config` is wrong. */
export async function createAgent(
  options: CreateAgentOptions,
): Promise<Agent> {
  const { cwd, mode, instructions, env = () => undefined } = options;
  const config = checkConfig(options.config ?? {});
  return await assemble({
    config,
    plugins,
    host: {
      project: cwd,
      env,
      version: deno.version,
      commands: config.approvals.commands,
      now: () => new Date(),
    },
    ...(mode && { mode }),
    ...(instructions && { instructions }),
  });
}

export * from "./core/agent.ts";
export * from "./core/approval.ts";
export * from "./core/command.ts";
export type { CompactionEnd } from "./core/compact_session.ts";
export * from "./core/compaction.ts";
export {
  checkConfig,
  checkOptions,
  type Config,
  type ConfigInput,
  type ConfigSource,
  type Use,
} from "./core/config.ts";
export * from "./core/error.ts";
export * from "./core/event.ts";
export * from "./core/facade.ts";
export * from "./core/fold.ts";
export * from "./core/handle.ts";
export * from "./core/id.ts";
export * from "./core/memory_store.ts";
export * from "./core/message.ts";
export * from "./core/model.ts";
export * from "./core/plugin.ts";
export type { Listener } from "./core/record.ts";
export * from "./core/replay.ts";
export * from "./core/server.ts";
export * from "./core/session.ts";
export * from "./core/store.ts";
export * from "./core/tool.ts";
export type { TurnEnd } from "./core/turn.ts";
