import { parse } from "yaml";
import { UsageError } from "../usage_error.ts";

/** `["a=1", "b.c=x"]` → `{a: 1, b: {c: "x"}}`: values as YAML has them. */
export function readOptions(
  pairs: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  const options: Record<string, unknown> = {};
  for (const pair of pairs) {
    const [, key = "", text = ""] = /^([^=\s]+)=(.*)$/s.exec(pair) ?? [];
    if (!key) {
      throw new UsageError(
        `Cannot read --option "${pair}": expected <key>=<value>`,
      );
    }
    put(options, key.split("."), valueOf(pair, text));
  }
  return options;
}

function put(
  into: Record<string, unknown>,
  [key = "", ...rest]: readonly string[],
  value: unknown,
): void {
  if (rest.length === 0) {
    Object.defineProperty(into, key, { ...PLAIN, value });
    return;
  }
  const here = Object.hasOwn(into, key) ? into[key] : undefined;
  const inner =
    typeof here === "object" && here !== null && !Array.isArray(here)
      ? here as Record<string, unknown>
      : {};
  Object.defineProperty(into, key, { ...PLAIN, value: inner });
  put(inner, rest, value);
}

// Not by assignment: a key may be called __proto__.
const PLAIN = { enumerable: true, configurable: true, writable: true };

function valueOf(pair: string, text: string): unknown {
  try {
    return text === "" ? "" : parse(text, { logLevel: "error" });
  } catch (error) {
    throw new UsageError(
      `Cannot read --option "${pair}": it is no YAML value`,
      {
        cause: error,
      },
    );
  }
}
