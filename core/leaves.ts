import { parseAddress } from "./http/address.ts";
import { isLoopback } from "./loopback.ts";
import { hasVariables, variablesIn } from "./variables.ts";

/** Where a built-in model is at home: there, with a key of yours, all is sent unasked. */
export interface Home {
  /** The company's address. */
  readonly url: string;
  /** Where it asks without `baseURL`, if not there: on this machine. */
  readonly here?: true;
  /** The variable it sends to any server when there is no `apiKey`. */
  readonly key?: string;
}

/** What is sent where. */
export interface Leaving {
  readonly to: string;
  /** Those that go along with the conversations. */
  readonly variables: readonly string[];
}

/**
 * Where a built-in model would send conversations, by its options as they are
 * written; undefined when they stay here, or go to its company with a key of
 * yours.
 */
export function leaves(
  options: Readonly<Record<string, unknown>>,
  home: Home,
): Leaving | undefined {
  const { baseURL: to = home.here ? undefined : home.url, apiKey } = options;
  if (to === undefined || isHere(to)) return undefined;
  const isHome = originOf(to) === originOf(home.url);
  if (isHome && isYours(options)) return undefined;
  const own = isGiven(apiKey) ? [] : home.key ?? [];
  return {
    to: `${to}${isHome ? " with a key of its own" : ""}`,
    variables: [...new Set(variablesIn(options).concat(own))],
  };
}

function isHere(to: unknown): boolean {
  if (hasVariables(to)) return false;
  const address = parseAddress(String(to));
  if (address?.socket !== undefined) return true;
  return isLoopback(address?.base.hostname ?? "");
}

// With a variable in it, it could be any.
function originOf(to: unknown): string | undefined {
  return hasVariables(to) ? undefined : parseAddress(String(to))?.base.origin;
}

// With a key that stands in the file, a company shows all to whoever wrote it.
function isYours(
  { apiKey, headers = {} }: Readonly<Record<string, unknown>>,
): boolean {
  const keys = Object.entries(headers as object)
    .filter(([name]) => /^(authorization|x-api-key)$/i.test(name))
    .map(([_, value]) => value);
  return [...apiKey === undefined ? [] : [apiKey], ...keys]
    .every((key) => /^(Bearer )?\$\{\w+\}$/.test(String(key)));
}

function isGiven(key: unknown): boolean {
  return typeof key === "string" && key.replaceAll(/\$\{\w+:-\}/g, "") !== "";
}
