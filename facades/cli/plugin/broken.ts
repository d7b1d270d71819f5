import { ConfigError } from "../../../core/error.ts";

/** A trusted plugin that does not work: mm can do without it. */
export class BrokenPluginError extends ConfigError {}

/** The error that tells so. */
export function broken(
  name: string,
  why: string,
  cause?: unknown,
): BrokenPluginError {
  return new BrokenPluginError(
    `Cannot use plugin "${name}": ${why}`,
    cause === undefined ? {} : { cause },
  );
}
