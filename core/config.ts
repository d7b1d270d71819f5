import {
  _default,
  array,
  boolean,
  enum as oneOf,
  int,
  looseObject,
  maximum,
  minimum,
  number,
  optional,
  strictObject,
  string,
  union,
} from "zod/mini";
import { safeParse } from "zod/v4/core";
import { APPROVAL_MODES, type ApprovalMode } from "./approval.ts";
import { ConfigError } from "./error.ts";
import { issueText } from "./issue.ts";
import { firstLine } from "./message.ts";
import { nearest } from "./nearest.ts";
import type { Checked, Schema } from "./plugin.ts";

/** A plugin's name, or its name and options. */
export type Use = string | {
  /** The plugin's name. */
  readonly use: string;
  /** Its options, checked by its own schema. */
  readonly [option: string]: unknown;
};

/** agent.yaml, checked, with every default filled in. */
export interface Config {
  /** Who answers. Default: chosen by the program, else the demo model. */
  readonly model?: Use | undefined;
  /** Replaces mm's own system prompt. */
  readonly prompt?: string | undefined;
  /** Whether conversations are kept, and where. Default: yes, in `json`. */
  readonly sessions: { readonly enabled: boolean; readonly store: Use };
  /** When old turns become a summary: past `at` (0.1 to 1, default 0.8) of the window, keeping `keepTurns` (default 2). */
  readonly compaction: {
    readonly use: string;
    readonly at: number;
    readonly keepTurns: number;
  };
  /** Where a title comes from: the first question (default), or a short one by the model. */
  readonly titles: "question" | "model";
  /** Who decides on tool calls (default `ask`), and shell command prefixes that run without asking. */
  readonly approvals: {
    readonly mode: ApprovalMode;
    readonly commands: readonly string[];
  };
  /** Model calls a turn may take (default 50), and tools that are not offered. */
  readonly tools: {
    readonly maxRounds: number;
    readonly off: readonly string[];
  };
  /** Options of the plugin `mcp`: `servers`, `timeout`. */
  readonly mcp?: { readonly [option: string]: unknown } | undefined;
  /** How `mm serve` serves; its flags go before. Defaults: the facade's. */
  readonly serve?: {
    readonly host?: string | undefined;
    readonly port?: number | undefined;
    readonly names?: readonly string[] | undefined;
    readonly replay?: {
      readonly events?: number | undefined;
      readonly bytes?: number | undefined;
    } | undefined;
    readonly idleRelease?: number | undefined;
  } | undefined;
  /** Plugins besides those of other keys. */
  readonly plugins: readonly Use[];
}

/** agent.yaml as it is written: everything may be left out. */
export interface ConfigInput {
  /** See `Config`. */
  readonly model?: Use | undefined;
  /** See `Config`. */
  readonly prompt?: string | undefined;
  /** See `Config`. */
  readonly sessions?: Partial<Config["sessions"]>;
  /** See `Config`. */
  readonly compaction?: Partial<Config["compaction"]>;
  /** See `Config`. */
  readonly titles?: Config["titles"];
  /** See `Config`. */
  readonly approvals?: Partial<Config["approvals"]>;
  /** See `Config`. */
  readonly tools?: Partial<Config["tools"]>;
  /** See `Config`. */
  readonly mcp?: Config["mcp"];
  /** See `Config`. */
  readonly serve?: Config["serve"];
  /** See `Config`. */
  readonly plugins?: readonly Use[];
}

const UseSchema = union([string(), looseObject({ use: string() })]);

/** The shape of agent.yaml. The options of a plugin are checked by the plugin's own schema. */
export const ConfigSchema = strictObject({
  model: optional(UseSchema),
  prompt: optional(string()),
  sessions: _default(
    strictObject({
      enabled: _default(boolean(), true),
      store: _default(UseSchema, "json"),
    }),
    { enabled: true, store: "json" },
  ),
  compaction: _default(
    strictObject({
      use: _default(string(), "summary"),
      at: _default(number().check(minimum(0.1), maximum(1)), 0.8),
      keepTurns: _default(int().check(minimum(1), maximum(1000)), 2),
    }),
    { use: "summary", at: 0.8, keepTurns: 2 },
  ),
  titles: _default(oneOf(["question", "model"]), "question"),
  approvals: _default(
    strictObject({
      mode: _default(oneOf(APPROVAL_MODES), "ask"),
      commands: _default(array(string()), []),
    }),
    { mode: "ask", commands: [] },
  ),
  tools: _default(
    strictObject({
      maxRounds: _default(int().check(minimum(1), maximum(10_000)), 50),
      off: _default(array(string()), []),
    }),
    { maxRounds: 50, off: [] },
  ),
  mcp: optional(looseObject({})),
  serve: optional(strictObject({
    host: optional(string()),
    port: optional(int().check(minimum(0), maximum(65535))),
    names: optional(array(string())),
    replay: optional(strictObject({
      events: optional(int().check(minimum(1), maximum(10_000_000))),
      bytes: optional(int().check(minimum(1024), maximum(1024 ** 3))),
    })),
    idleRelease: optional(int().check(minimum(1), maximum(1_000_000))),
  })),
  plugins: _default(array(UseSchema), []),
});

/** Where a configuration came from, so that errors can point at it. */
export interface ConfigSource {
  /** Shown in errors; a path, or what else the values came from. */
  readonly file: string;
  /** 1-based line of a key; undefined where there is none. */
  line(path: readonly PropertyKey[]): number | undefined;
}

/** The source of values that come from no file. */
export const NO_SOURCE: ConfigSource = {
  file: "the configuration",
  line: () => undefined,
};

/** Checks `value` as a whole configuration; throws a ConfigError about its first mistake. */
export function checkConfig(value: unknown, source = NO_SOURCE): Config {
  return check(ConfigSchema, value, source) as Checked<typeof ConfigSchema>;
}

/** Checks the options of a plugin, which stand at `path`. */
export function checkOptions<S extends Schema>(
  schema: S,
  value: unknown,
  path: readonly PropertyKey[],
  source = NO_SOURCE,
): Checked<S> {
  return check(schema, value, source, path) as Checked<S>;
}

/** Name and options of a `use`. */
export function parseUse(use: Use): {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
} {
  if (typeof use === "string") return { name: use, options: {} };
  const { use: name, ...options } = use;
  return { name, options };
}

function check(
  schema: Schema,
  value: unknown,
  source: ConfigSource,
  prefix: readonly PropertyKey[] = [],
): unknown {
  const result = safeParse(schema, value, { reportInput: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (!issue) throw new ConfigError(`Cannot read ${source.file}`);
  const more = result.error.issues.length - 1;
  const unknown = issue.code === "unrecognized_keys"
    ? issue.keys[0]
    : undefined;
  const path = [...prefix, ...issue.path, ...unknown ? [unknown] : []];
  const what = unknown === undefined
    ? issueText(issue)
    : unknownKey(unknown, keysAt(schema, issue.path));
  throw new ConfigError(
    configMessage(source, path, what) +
      (more > 0 ? ` (and ${more} more)` : ""),
    { cause: result.error },
  );
}

/** `Cannot read agent.yaml:3: model.use: …`: every configuration error reads so. */
export function configMessage(
  source: ConfigSource,
  path: readonly PropertyKey[],
  what: string,
): string {
  const line = source.line(path);
  const where = path.length > 0 ? `${path.map(keyText).join(".")}: ` : "";
  return `Cannot read ${source.file}${
    line === undefined ? "" : `:${line}`
  }: ${where}${what}`;
}

// A key may hold anything, line breaks too; the message is one line.
function keyText(key: PropertyKey): string {
  const text = firstLine(String(key), 80);
  return /\p{C}/u.test(text) || text !== String(key)
    ? JSON.stringify(text)
    : text;
}

function unknownKey(key: string, known: readonly string[]): string {
  const near = nearest(key, known);
  if (near) return `unknown key, did you mean "${near}"?`;
  return known.length > 0
    ? `unknown key, expected one of ${known.join(", ")}`
    : "unknown key";
}

function keysAt(schema: Schema, path: readonly PropertyKey[]): string[] {
  let here: unknown = schema;
  for (const key of path) here = shapeOf(here)?.[String(key)];
  return Object.keys(shapeOf(here) ?? {});
}

// Looks through optional() and _default() at the object inside.
function shapeOf(schema: unknown): Record<string, unknown> | undefined {
  let def = (schema as { _zod?: { def: Inner } } | undefined)?._zod?.def;
  while (def?.innerType) def = def.innerType._zod.def;
  return def?.shape;
}

interface Inner {
  readonly innerType?: { readonly _zod: { readonly def: Inner } };
  readonly shape?: Record<string, unknown>;
}
