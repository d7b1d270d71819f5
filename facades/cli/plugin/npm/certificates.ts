import { UserError } from "../../../../core/error.ts";
import { systemReason } from "../../../../core/system_error.ts";
import { userSettings } from "./settings.ts";

/**
 * The authorities the user trusts besides the well-known ones, as PEM: behind a
 * proxy that looks into what is sent, npm is told of its authority in one of
 * these ways, and the same has to do here.
 */
export async function authorities(): Promise<string[]> {
  const cafile = Deno.env.get("npm_config_cafile") ||
    Deno.env.get("NPM_CONFIG_CAFILE") || (await userSettings()).get("cafile");
  const files = new Set([
    cafile,
    Deno.env.get("NODE_EXTRA_CA_CERTS"),
    Deno.env.get("SSL_CERT_FILE"),
  ]);
  return await Promise.all(
    [...files].flatMap((file) => file ? read(file) : []),
  );
}

async function read(file: string): Promise<string> {
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    throw new UserError(
      `the certificates in "${file}" cannot be read: ${systemReason(error)}`,
      { cause: error },
    );
  }
}
