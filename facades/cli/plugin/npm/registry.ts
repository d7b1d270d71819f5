import { UserError } from "../../../../core/error.ts";
import { homeFolder } from "../../place.ts";
import { userSettings } from "./settings.ts";

/**
 * The npm registry the user has set, for this scope if there is one: the
 * environment, the user's own .npmrc, else what npm itself says.
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
