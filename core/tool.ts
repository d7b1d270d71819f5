import { safeParse, toJSONSchema } from "zod/v4/core";
import type { Access } from "./approval.ts";
import { errorLine } from "./error.ts";
import type { FileDiff, ToolKind, ToolLocation } from "./message.ts";
import type { ToolSpec } from "./model.ts";
import type { Checked, Schema } from "./plugin.ts";
import { issueLine } from "./issue.ts";

/** Text files as the user's editor holds them, unsaved changes included. Paths are absolute. */
export interface EditorFiles {
  /** Throws when there is no such file, or for any reason of the editor's. */
  read?(path: string, signal: AbortSignal): Promise<string>;
  /** Creates or replaces the file, and saves it. */
  write?(path: string, text: string, signal: AbortSignal): Promise<void>;
}

/** Where a call runs. */
export interface ToolContext {
  /** Base of relative paths, absolute. */
  readonly cwd: string;
  /** Folders that file tools may touch without asking; `cwd` is the first. Absolute. */
  readonly roots: readonly string[];
  /** Where the record is kept. */
  readonly sessionId: string;
  /** The call that is run. */
  readonly toolCallId: string;
  /** Scopes of this tool that the user allowed for the session. */
  readonly allowed: ReadonlySet<string>;
  /** Shows output while the tool runs; it is not the result. */
  output(text: string): void;
  /** Use it for text inside the roots; absent where no editor is at hand. */
  readonly files?: EditorFiles;
  /** Aborted when the turn is cancelled. */
  readonly signal: AbortSignal;
}

/** What a call would do, found out without doing it. */
export interface ToolPlan {
  /** Short, for people: `Read README.md`. */
  readonly title: string;
  /** The files it would touch. */
  readonly locations?: readonly ToolLocation[];
  /** The change to come, shown before approval. */
  readonly diffs?: readonly FileDiff[];
  /** How much it asks for. */
  readonly access: Access;
  /** Why it must be asked, when `access` is not `auto`. */
  readonly reason?: string;
  /** What "always for this session" would allow; compared exactly with `allowed`. */
  readonly scope?: string;
}

/** What a call did. */
export interface ToolResult {
  /** What the model reads, whole: the context cuts it where needed. */
  readonly content: string;
  /** What it changed. */
  readonly diffs?: readonly FileDiff[];
  /** The files it touched. */
  readonly locations?: readonly ToolLocation[];
  /** The call ran but did not do what was asked (a command with exit code 1). */
  readonly failed?: boolean;
}

/** A tool: what the model may ask for. Throwing from `plan` or `run` tells the model, not the user. */
export interface Tool<S extends Schema = Schema> {
  /** What the model calls it by. */
  readonly name: string;
  /** What the model is told of it. */
  readonly description: string;
  /** What it does, for icons and filters. */
  readonly kind: ToolKind;
  /** A zod object schema of the arguments, of what JSON Schema can express. */
  readonly input: S;
  /** A JSON Schema the model is shown in place of one made from `input`. */
  readonly parameters?: ToolSpec["parameters"];
  /** Finds out what a call would do, without doing it. */
  plan(input: Checked<S>, context: ToolContext): ToolPlan | Promise<ToolPlan>;
  /** Does it. */
  run(input: Checked<S>, context: ToolContext): Promise<ToolResult>;
}

/** Infers the input type of `plan` and `run`; does nothing else. */
export function defineTool<S extends Schema>(tool: Tool<S>): Tool {
  return tool as unknown as Tool;
}

/** The tool as the model sees it. Throws a TypeError that names it when no model can be told of its input. */
export function toolSpec(tool: Tool): ToolSpec {
  let spec = specs.get(tool);
  if (!spec) {
    const { name, description, parameters = fromInput(tool) } = tool;
    if (parameters.type !== "object") {
      throw new TypeError(
        `Cannot offer tool "${name}": its input is no object`,
      );
    }
    spec = { name, description, parameters };
    specs.set(tool, spec);
  }
  return spec;
}

function fromInput({ name, input }: Tool): ToolSpec["parameters"] {
  try {
    const { $schema: _, ...parameters } = toJSONSchema(input, { io: "input" });
    return parameters;
  } catch (error) {
    throw new TypeError(
      `Cannot offer tool "${name}": its input has no JSON Schema (${
        errorLine(error)
      })`,
      { cause: error },
    );
  }
}

const specs = new WeakMap<Tool, ToolSpec>();

/** The arguments, checked; throws a TypeError that tells the model what is wrong. */
export function parseInput(tool: Tool, value: unknown): unknown {
  if (typeof value === "string") {
    throw new TypeError(
      `The arguments of ${tool.name} are not valid JSON: ${
        value.slice(0, 200)
      }`,
    );
  }
  const result = safeParse(tool.input, value ?? {});
  if (result.success) return result.data;
  throw new TypeError(
    `The arguments of ${tool.name} are wrong: ${
      result.error.issues.map((issue) => issueLine(issue)).join("; ")
    }`,
  );
}
