import { minimum, number, object, optional, string } from "zod/mini";
import { randomHex } from "../../core/id.ts";
import { firstLine } from "../../core/message.ts";
import type { PluginHost } from "../../core/plugin.ts";
import type { Tool, ToolContext, ToolResult } from "../../core/tool.ts";
import { defineTool } from "../../core/tool.ts";
import { Capture } from "./capture.ts";
import { Cleaner } from "./clean.ts";
import type { Ended } from "./group.ts";
import { Live } from "./live.ts";
import { openOutput } from "./output_file.ts";
import { short } from "./place.ts";

/** What agent.yaml may set. */
export interface ShellOptions {
  /** Seconds a command may take unless the call says otherwise. */
  readonly timeout: number;
  /** Seconds a call may ask for at most. */
  readonly maxTimeout: number;
  /** Characters of output the model reads. */
  readonly output: number;
  /** Environment variables commands do not get. */
  readonly hideEnv: readonly string[];
}

/** Runs a shell command. */
export function shellTool(options: ShellOptions, host: PluginHost): Tool {
  return defineTool({
    name: "shell",
    description:
      `Run a bash command in the project folder; it has no input and no terminal. Processes it leaves behind are ended. Long output is cut; all of it goes to a file you can read. timeout: seconds, default ${options.timeout}.`,
    kind: "execute",
    input: object({
      command: string(),
      timeout: optional(number().check(minimum(1))),
    }),
    async plan({ command }, { cwd, allowed }) {
      assertCommand(command);
      const title = `$ ${firstLine(command, 100)}`;
      const { rule } = await import("./allow.ts");
      const ruling = rule(command, [...host.commands, ...allowed], cwd);
      if (ruling.allowed) return { title, access: "auto" };
      const { reason, scope } = ruling;
      return { title, access: "ask", reason, ...(scope ? { scope } : {}) };
    },
    async run({ command, timeout = options.timeout }, context) {
      assertCommand(command);
      const seconds = Math.min(timeout, options.maxTimeout);
      return await run(command, seconds, context, options, host);
    },
  });
}

function assertCommand(command: string): void {
  if (!command.trim()) throw new TypeError("The command is empty");
  if (command.includes("\0")) throw new TypeError("A command holds no NUL");
}

async function run(
  command: string,
  seconds: number,
  context: ToolContext,
  options: ShellOptions,
  host: PluginHost,
): Promise<ToolResult> {
  const { findShell, runJob } = await import("./group.ts");
  using capture = new Capture(
    options.output,
    () => openOutput(host.project, host.now()),
  );
  using live = new Live((text) => context.output(text));
  const cleaner = new Cleaner();
  const take = (text: string) => {
    capture.add(text);
    live.add(text);
  };
  const began = performance.now();
  const ended = await runJob({
    shell: await findShell(),
    command,
    cwd: context.cwd,
    env: environment(options.hideEnv),
    runId: randomHex(16),
    timeoutMs: seconds * 1000,
    onData: (bytes) => take(cleaner.add(bytes)),
  }, context.signal);
  take(cleaner.end());
  const took = (performance.now() - began) / 1000;
  const text = capture.text((path) => short(path, context.cwd)).trimEnd();
  const { path } = capture;
  return {
    content: `${text || "(no output)"}\n[${verdict(ended, took, seconds)}]`,
    failed: ended.code !== 0 || ended.stopped !== undefined,
    ...(path ? { locations: [{ path }] } : {}),
  };
}

function verdict(ended: Ended, took: number, seconds: number): string {
  const parts = [
    ended.stopped === "timeout"
      ? `stopped after the timeout of ${seconds} s`
      : ended.stopped === "cancelled"
      ? "cancelled"
      : ended.stopped === "flood"
      ? "stopped: more than 256 MiB of output"
      : ended.signal
      ? `killed by ${ended.signal}`
      : `exit code ${ended.code}`,
    `${took.toFixed(1)} s`,
  ];
  if (ended.strays) parts.push("background processes ended");
  return parts.join(", ");
}

// Everything a command of the user's own shell would get, but not what only mm
// should know.
function environment(hidden: readonly string[]): Record<string, string> {
  const all = Object.entries(Deno.env.toObject()).filter(([name]) =>
    !hidden.includes(name) &&
    !/^MM_.*(?:TOKEN|KEY|SECRET|PASSWORD)/i.test(name)
  );
  return Object.fromEntries(all);
}
