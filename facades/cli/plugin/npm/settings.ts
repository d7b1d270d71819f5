import { join } from "node:path";
import { UserError } from "../../../../core/error.ts";
import { homeFolder } from "../../place.ts";

/**
 * What the user's own .npmrc says. A project's is not read: whoever wrote it
 * is not who runs mm.
 */
export async function userSettings(): Promise<ReadonlyMap<string, string>> {
  const home = homeFolder();
  const file = Deno.env.get("npm_config_userconfig") ||
    Deno.env.get("NPM_CONFIG_USERCONFIG") || (home && join(home, ".npmrc"));
  const lines = file ? (await textOf(file)).split("\n") : [];
  return new Map(lines.flatMap((line) => {
    const [, key, value] =
      /^\s*([^#;=\s]+)\s*=\s*"?([^"\s]*)"?\s*$/.exec(line) ??
        [];
    return key && value ? [[key, expanded(value)] as const] : [];
  }));
}

// As npm does: what is not set stays as it is written.
function expanded(value: string): string {
  return value.replaceAll(
    /\$\{(\w+)\}/g,
    (text, name) => Deno.env.get(name) ?? text,
  );
}

async function textOf(file: string): Promise<string> {
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw new UserError(`Cannot read ${file}: ${String(error)}`, {
      cause: error,
    });
  }
}
