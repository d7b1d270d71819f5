import { join } from "node:path";
import { safeParse } from "zod/v4/core";
import type { PluginHost } from "../../../core/plugin.ts";
import type { Tool, ToolContext, ToolResult } from "../../../core/tool.ts";
import { parseInput } from "../../../core/tool.ts";
import { plugin } from "../../../plugins/coding/plugin.ts";
import { removeDir } from "../../temp_dir.ts";

/** A project in a temporary folder, with the six tools opened on it. */
export interface Kit extends AsyncDisposable {
  /** Holds `project`; what lies beside that is outside. */
  readonly base: string;
  readonly project: string;
  readonly context: ToolContext;
  readonly shown: string[];
  tool(name: string): Tool;
  /** Plans and runs, as a turn does once it was approved. */
  call(name: string, input: unknown): Promise<ToolResult>;
  /** Writes a file of the project, and the folders it needs. */
  put(path: string, content: string | Uint8Array): Promise<string>;
  get(path: string): Promise<string>;
}

/** Makes a project; `options` are the plugin's. */
export async function makeKit(
  { options = {}, commands = [], signal = new AbortController().signal }: {
    options?: Record<string, unknown>;
    commands?: string[];
    signal?: AbortSignal;
  } = {},
): Promise<Kit> {
  const base = await Deno.realPath(await Deno.makeTempDir());
  const project = join(base, "project");
  await Deno.mkdir(project);
  const host: PluginHost = {
    version: "0",
    project,
    env: () => undefined,
    commands,
    now: () => new Date(),
  };
  const parsed = safeParse(plugin.options, options);
  if (!parsed.success) throw parsed.error;
  const bundle = await plugin.open(parsed.data, host);
  const shown: string[] = [];
  let calls = 0;
  const kit: Kit = {
    base,
    project,
    shown,
    get context() {
      return {
        cwd: project,
        roots: [project],
        sessionId: "s",
        toolCallId: `c${++calls}`,
        allowed: new Set<string>(),
        output: (text: string) => shown.push(text),
        signal,
      };
    },
    tool(name) {
      const tool = bundle.tools?.find((t) => t.name === name);
      if (!tool) throw new Error(`No tool ${name}`);
      return tool;
    },
    async call(name, value) {
      const tool = kit.tool(name);
      const input = parseInput(tool, value);
      const { context } = kit;
      await tool.plan(input, context);
      return await tool.run(input, context);
    },
    async put(path, content) {
      const full = join(project, path);
      await Deno.mkdir(join(full, ".."), { recursive: true });
      await (typeof content === "string"
        ? Deno.writeTextFile(full, content)
        : Deno.writeFile(full, content));
      return full;
    },
    get: (path) => Deno.readTextFile(join(project, path)),
    async [Symbol.asyncDispose]() {
      await removeDir(base);
    },
  };
  return kit;
}
