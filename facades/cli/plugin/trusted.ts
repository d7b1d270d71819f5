import { join } from "node:path";
import { ConfigError } from "../../../core/error.ts";
import { systemFailure } from "../../../core/system_error.ts";
import { homeFolder } from "../place.ts";
import { sha256 } from "./sha256.ts";

/**
 * The plugins this user trusts, each a copy named by its hash in a folder of
 * the user's own. What is imported is the copy: nobody can change it between
 * the look and the import, and it can reach no file beside it.
 */
export async function trustedFile(hash: string): Promise<string | undefined> {
  const file = join(folder(), `${hash}.js`);
  try {
    return sha256(await Deno.readFile(file)) === hash ? file : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw systemFailure(`read trusted plugin "${file}"`, error);
  }
}

/** Trusts exactly these bytes from now on. */
export async function trust(bytes: Uint8Array): Promise<void> {
  const file = join(folder(), `${sha256(bytes)}.js`);
  const part = `${file}.${crypto.randomUUID()}.tmp`;
  try {
    await Deno.mkdir(folder(), { recursive: true, mode: 0o700 });
    await Deno.writeFile(part, bytes, { mode: 0o600, createNew: true });
    await Deno.rename(part, file);
  } catch (error) {
    throw systemFailure(`write trusted plugin "${file}"`, error);
  }
}

function folder(): string {
  const home = homeFolder();
  const state = Deno.env.get("XDG_STATE_HOME") ||
    Deno.env.get("LOCALAPPDATA") || (home && join(home, ".local", "state"));
  if (state) return join(state, "mm", "plugins");
  throw new ConfigError(
    "Cannot look for trusted plugins: there is no home folder, set HOME or XDG_STATE_HOME",
  );
}
