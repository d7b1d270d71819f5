import { parseUse, type Use } from "./config.ts";
import { type Home, leaves } from "./leaves.ts";
import { isLoopback } from "./loopback.ts";
import { hasVariables, variablesIn } from "./variables.ts";

/** Something agent.yaml lets run, be sent, be reached, be removed or be written without asking, as it is written there. */
export type Power = Readonly<
  /** An MCP server: a program to start, or an address to ask. */
  | { type: "server"; name: string; server: unknown }
  /** `approvals.mode`, where it is not `ask` or stricter. */
  | { type: "mode"; mode: unknown }
  /** One of `approvals.commands`. */
  | { type: "command"; command: unknown }
  /**
   * What leaves this machine, for all that is known here: the conversations
   * where it is a model's, and variables of the environment.
   */
  | {
    type: "send";
    /** The plugin that gets it, by its key. */
    at: readonly (string | number)[];
    variables: readonly string[];
    to: string;
    /** Of a plugin from outside: any of them may say where. */
    options?: unknown;
  }
  /** Variables in `prompt`: whatever model answers is sent them. */
  | { type: "prompt"; variables: readonly string[] }
  /** A database in a folder that may be anywhere. */
  | { type: "store"; at: readonly string[]; path: unknown }
  /** Conversations that nobody touched for so many days go. */
  | { type: "expiry"; days: unknown }
  /** `serve.host`, where it is not this machine alone. */
  | { type: "listen"; host: string }
  /** `serve.names`: pages of sites so called may speak to the server. */
  | { type: "names"; names: readonly string[] }
>;

/** What is built in: nothing else is known to keep what it is given. */
export interface BuiltIn {
  /** Every plugin. */
  readonly names: readonly string[];
  /** The models that may leave this machine. */
  readonly homes: Readonly<Record<string, Home>>;
}

/**
 * What a configuration lets happen unasked. `written` is a configuration that
 * was checked, as it was before its variables were filled in: so no secret is
 * in the answer, and where a variable stands the worst is taken for granted.
 */
export function powersOf(
  written: unknown,
  builtIn: BuiltIn,
): readonly Power[] {
  const config = written as Written;
  return [
    ...serversOf(config),
    ...approvalsOf(config),
    ...modelOf(config, builtIn),
    ...promptOf(config),
    ...storeOf(config, builtIn),
    ...pluginsOf(config, builtIn),
    ...serveOf(config),
  ];
}

interface Written {
  readonly model?: Use;
  readonly prompt?: string;
  readonly sessions?: { readonly store?: Use };
  readonly approvals?: {
    readonly mode?: string;
    readonly commands?: readonly string[];
  };
  readonly mcp?: { readonly [option: string]: unknown };
  readonly serve?: {
    readonly host?: string;
    readonly names?: readonly string[];
  };
  readonly plugins?: readonly Use[];
}

function serversOf({ mcp = {}, plugins = [] }: Written): Power[] {
  const listed = plugins.map(parseUse)
    .filter(({ name }) => name === "mcp" || hasVariables(name));
  return [mcp, ...listed.map(({ options }) => options)].flatMap(
    ({ servers }) =>
      Object.entries(servers ?? {}).map(([name, server]) =>
        ({ type: "server", name, server }) as const
      ),
  );
}

function approvalsOf({ approvals: { mode, commands = [] } = {} }: Written) {
  const free = mode !== undefined && !STRICT.has(mode);
  const powers: Power[] = free ? [{ type: "mode", mode }] : [];
  return [
    ...powers,
    ...commands.map((command) => ({ type: "command", command }) as const),
  ];
}

const STRICT: ReadonlySet<unknown> = new Set(["ask", "read", "none"]);

function modelOf({ model }: Written, builtIn: BuiltIn): Power[] {
  if (model === undefined) return []; // a server of this machine
  const { name, options } = parseUse(model);
  const at = ["model"];
  if (!builtIn.names.includes(name)) return given(model, at);
  const home = Object.hasOwn(builtIn.homes, name)
    ? builtIn.homes[name]
    : undefined;
  const sent = home && leaves(options, home);
  return sent ? [{ type: "send", at, ...sent }] : [];
}

function promptOf({ prompt }: Written): Power[] {
  const variables = variablesIn(prompt);
  return variables.length > 0 ? [{ type: "prompt", variables }] : [];
}

function storeOf(
  { sessions: { store = "json" } = {} }: Written,
  builtIn: BuiltIn,
): Power[] {
  const { name, options: { path, keepDays: days } } = parseUse(store);
  const at = ["sessions", "store"];
  if (!builtIn.names.includes(name)) return given(store, at);
  const powers: Power[] = path === undefined || isInPlace(path)
    ? []
    : [{ type: "store", at, path }];
  return days === undefined ? powers : [...powers, { type: "expiry", days }];
}

function pluginsOf({ plugins = [] }: Written, { names }: BuiltIn): Power[] {
  return plugins.flatMap((use, i) =>
    names.includes(parseUse(use).name) ? [] : given(use, ["plugins", i])
  );
}

// What a plugin from outside does with what it is given, nobody knows: its code
// may be trusted from another project, with other options.
function given(use: Use, at: readonly (string | number)[]): Power[] {
  const { name, options } = parseUse(use);
  if (Object.keys(options).length === 0) return [];
  const variables = variablesIn(use);
  return [{ type: "send", at, variables, to: `plugin ${name}`, options }];
}

function serveOf({ serve: { host, names = [] } = {} }: Written): Power[] {
  const powers: Power[] = host === undefined || isLoopback(host)
    ? []
    : [{ type: "listen", host }];
  return names.length > 0 ? [...powers, { type: "names", names }] : powers;
}

// The project's own folder cannot be a link to elsewhere, and the store refuses a `.mm` that is.
function isInPlace(path: unknown): boolean {
  return /^(\.\/)?(\.mm\/)?[^/\\:]+$/.test(String(path)) && !hasVariables(path);
}
