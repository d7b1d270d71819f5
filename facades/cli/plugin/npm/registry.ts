import { join } from "node:path";
import { UserError } from "../../../../core/error.ts";
import { homeFolder } from "../../place.ts";

/**
 * The npm registry the user has set, for this scope if there is one: the
 * environment, the user's own .npmrc, else what npm itself says. A project's
 * .npmrc is not asked: whoever wrote it is not who runs mm.
 */
export async function registry(scope: string | undefined): Promise<URL> {
  const settings = await userSettings();
  const found = (scope && settings.get(`${scope}:registry`)) ||
    Deno.env.get("npm_config_registry") ||
    Deno.env.get("NPM_CONFIG_REGISTRY") || settings.get("registry") ||
    await askNpm();
  const url = found && URL.canParse(found) ? new URL(found) : undefined;
  if (url && /^https?:$/.test(url.protocol)) {
    if (!url.pathname.endsWith("/")) url.pathname += "/";
    return url;
  }
  throw new UserError(
    `Cannot find the npm registry: set npm_config_registry to its address, or install npm`,
  );
}

async function userSettings(): Promise<ReadonlyMap<string, string>> {
  const home = homeFolder();
  const file = Deno.env.get("npm_config_userconfig") ||
    Deno.env.get("NPM_CONFIG_USERCONFIG") || (home && join(home, ".npmrc"));
  const lines = file ? (await textOf(file)).split("\n") : [];
  return new Map(lines.flatMap((line) => {
    const [, key, value] =
      /^\s*([^#;=\s]+)\s*=\s*"?([^"\s]*)"?\s*$/.exec(line) ??
        [];
    return key && value ? [[key, value] as const] : [];
  }));
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

// Elsewhere than in the project, whose .npmrc npm would heed.
async function askNpm(): Promise<string | undefined> {
  try {
    const npm = new Deno.Command("npm", {
      args: ["config", "get", "registry"],
      cwd: homeFolder() ?? "/",
      stdin: "null",
      stderr: "null",
    });
    const { success, stdout } = await npm.output();
    return success ? new TextDecoder().decode(stdout).trim() : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
