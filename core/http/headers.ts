import { ConfigError } from "../error.ts";

/**
 * Headers as they may be sent: names in lower case, so that one of agent.yaml
 * replaces ours instead of joining it, and nothing around the values. Throws a
 * ConfigError that does not show the value: it may be a key.
 */
export function sendable(
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const text = value.trim();
      if (!NAME.test(name)) {
        throw new ConfigError(
          `Cannot send header ${JSON.stringify(name)}: this is no header name`,
        );
      }
      if (!VALUE.test(text)) {
        throw new ConfigError(
          `Cannot send header "${name}": its value holds a line break or a character that HTTP does not take`,
        );
      }
      return [name.toLowerCase(), text];
    }),
  );
}

const NAME = /^[!#$%&'*+\-.^_`|~\w]+$/;

const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
