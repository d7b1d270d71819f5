import {
  _default,
  describe,
  int,
  minimum,
  nonnegative,
  number,
  optional,
  positive,
  record,
  refine,
  string,
  union,
} from "zod/mini";
import type { PluginHost } from "../plugin.ts";
import { type Address, ADDRESS_FORM, parseAddress } from "./address.ts";
import { DURATION, milliseconds } from "./duration.ts";
import type { Server } from "./exchange.ts";
import { sendable } from "./headers.ts";
import { addressSecrets, headerSecrets, redactor } from "./redact.ts";

/** Schema of a base URL. */
export function addressOption() {
  return string().check(
    refine((text) => parseAddress(text) !== undefined, { error: ADDRESS_FORM }),
  );
}

/** Options that all model servers share: spread them into a strict object. */
export const serverOptions = {
  apiKey: optional(string()),
  headers: _default(record(string(), string()), {}),
  temperature: optional(number().check(minimum(0))),
  contextWindow: optional(int().check(positive())),
  watchdogTimeout: _default(
    union([
      number().check(positive()),
      string().check(
        refine((text) => DURATION.test(text), {
          error: "expected a duration such as 90s or 2m",
        }),
      ),
    ]).check(describe("seconds, or a duration such as 2m")),
    120,
  ),
  retries: _default(int().check(nonnegative()), 4),
};

/** The shared options, checked. */
export interface ServerOptions {
  readonly baseURL: string;
  readonly apiKey?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly watchdogTimeout: number | string;
}

/** How a plugin's key is found and sent. */
export interface KeyOptions {
  /** The environment variable for a key that is not in the options. */
  readonly variable?: string | undefined;
  readonly header: (key: string) => Readonly<Record<string, string>>;
  readonly dial: Server["dial"];
}

/** The server that the options describe. */
export function serverOf(
  options: ServerOptions,
  host: Pick<PluginHost, "env" | "now">,
  { variable, header, dial }: KeyOptions,
): Server {
  const given = options.apiKey || (variable && host.env(variable)) || "";
  const key = given.trim();
  const address = addressOf(options.baseURL);
  return {
    address,
    headers: {
      ...sendable(key ? header(key) : {}),
      ...sendable(options.headers),
    },
    watchdogMs: milliseconds(options.watchdogTimeout),
    keyHint: variable
      ? `set ${variable}, or apiKey in agent.yaml`
      : "set apiKey in agent.yaml, such as ${MODEL_API_KEY}",
    redact: redactor([
      key,
      ...headerSecrets(options.headers),
      ...addressSecrets(address.base),
    ]),
    dial,
    now: host.now,
  };
}

function addressOf(baseURL: string): Address {
  const address = parseAddress(baseURL);
  if (!address) {
    throw new TypeError(`Cannot use baseURL "${baseURL}": ${ADDRESS_FORM}`);
  }
  return address;
}
