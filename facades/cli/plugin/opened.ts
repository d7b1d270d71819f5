import { errorLine } from "../../../core/error.ts";
import type { Plugin } from "../../../core/plugin.ts";
import { type Tool, toolSpec } from "../../../core/tool.ts";
import { isSchema } from "./shape.ts";

/** Why what a plugin's `open` gave cannot be used; undefined when it can. */
export function openedProblem(
  kind: Plugin["kind"],
  opened: unknown,
): string | undefined {
  if (typeof opened !== "object" || opened === null) {
    return `its open gives no ${kind === "plugin" ? "object" : kind}`;
  }
  const given = opened as Given;
  if (kind === "plugin") return bundleProblem(given);
  if (typeof given.name !== "string") return `its ${kind} has no name`;
  if (kind === "store") return storeProblem(given);
  return missing(kind, given, kind === "model" ? ["stream"] : ["compact"]);
}

function storeProblem(store: Given): string | undefined {
  if (typeof store.supports !== "object" || store.supports === null) {
    return "its store does not say what it supports";
  }
  if (
    typeof (store as Partial<AsyncDisposable>)[Symbol.asyncDispose] !==
      "function"
  ) {
    return "its store has no method [Symbol.asyncDispose]";
  }
  const methods = ["append", "read", "list", "move", "remove"];
  return missing("store", store, methods);
}

function missing(
  kind: string,
  given: Given,
  methods: readonly string[],
): string | undefined {
  const name = methods.find((name) => typeof given[name] !== "function");
  return name && `its ${kind} has no method ${name}`;
}

type Given = Readonly<Record<string, unknown>>;

function bundleProblem(bundle: Given): string | undefined {
  const { tools = [], commands = [] } = bundle;
  if (!Array.isArray(tools)) return "its tools are no list";
  if (!Array.isArray(commands)) return "its commands are no list";
  const hook = ["context", "beforeRotate", "serve"].find((name) =>
    bundle[name] !== undefined && typeof bundle[name] !== "function"
  );
  if (hook) return `its ${hook} is no function`;
  return first(tools, toolProblem) ?? first(commands, commandProblem);
}

function first(
  all: readonly unknown[],
  problem: (one: Given) => string | undefined,
): string | undefined {
  return all.map((one) => problem((one ?? {}) as Given)).find(Boolean);
}

function toolProblem(tool: Given): string | undefined {
  const { name, description, input, plan, run } = tool;
  // What every server takes; one that refuses a name refuses every question.
  if (typeof name !== "string" || !/^[\w-]{1,64}$/.test(name)) {
    return `its tool ${
      JSON.stringify(String(name))
    } needs a name of letters, digits, _ and -, 64 at most`;
  }
  if (typeof description !== "string") {
    return `its tool ${name} has no description`;
  }
  if (!isSchema(input)) {
    return `the input of its tool ${name} is no schema of zod 4`;
  }
  if (typeof plan !== "function") {
    return `its tool ${name} has no function plan`;
  }
  if (typeof run !== "function") return `its tool ${name} has no function run`;
  return specProblem(tool as unknown as Tool);
}

function specProblem(tool: Tool): string | undefined {
  try {
    toolSpec(tool);
    return undefined;
  } catch (error) {
    return errorLine(error);
  }
}

function commandProblem({ name, summary, run }: Given): string | undefined {
  if (typeof name !== "string" || !/^\S+$/.test(name)) {
    return `its command ${
      JSON.stringify(String(name))
    } needs a name without spaces`;
  }
  if (typeof summary !== "string") return `its command ${name} has no summary`;
  return typeof run === "function"
    ? undefined
    : `its command ${name} has no function run`;
}
