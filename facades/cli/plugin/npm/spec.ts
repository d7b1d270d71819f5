import { ConfigError } from "../../../../core/error.ts";

/** The parts of `npm:name@range`. Throws a ConfigError when npm could not have such a name. */
export function parseSpec(
  spec: string,
): { readonly name: string; readonly range: string } {
  const [, name, range = "latest"] =
    /^npm:((?:@[\w-][\w.-]*\/)?[\w-][\w.-]*)(?:@([^\s/@]+))?$/.exec(spec) ?? [];
  if (name !== undefined) return { name, range };
  throw new ConfigError(
    `Cannot use plugin "${spec}": expected npm:<package> or npm:<package>@<version>`,
  );
}
