import { join } from "node:path";
import { UserError } from "../../../core/error.ts";
import { systemFailure } from "../../../core/system_error.ts";
import { noStateFolder, stateFolder, writeState } from "../state_folder.ts";
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
  await write(`${sha256(bytes)}.js`, bytes);
}

/** Tells whether it was seen that importing the plugin of this hash comes to an end. */
export async function isKnownToEnd(hash: string): Promise<boolean> {
  try {
    return (await Deno.lstat(join(folder(), `${hash}.ends`))).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw systemFailure(`look at trusted plugin ${hash}`, error);
  }
}

/** Remembers that it does, if that can be written; else it is tried anew each time. */
export async function rememberItEnds(hash: string): Promise<void> {
  try {
    await write(`${hash}.ends`, new Uint8Array());
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
  }
}

async function write(name: string, bytes: Uint8Array): Promise<void> {
  await writeState(join(folder(), name), bytes, "trusted plugin");
}

function folder(): string {
  const folder = stateFolder("plugins");
  if (folder !== undefined) return folder;
  throw noStateFolder("look for trusted plugins");
}
