import { join } from "node:path";
import { ConfigError } from "../../core/error.ts";
import { systemFailure } from "../../core/system_error.ts";
import { homeFolder } from "./place.ts";

/** A folder in which mm remembers what this user decided; undefined without a home. */
export function stateFolder(name: string): string | undefined {
  const home = homeFolder();
  const state = Deno.env.get("XDG_STATE_HOME") ||
    Deno.env.get("LOCALAPPDATA") || (home && join(home, ".local", "state"));
  return state ? join(state, "mm", name) : undefined;
}

/** What to throw where there must be one. */
export function noStateFolder(attempt: string): ConfigError {
  return new ConfigError(
    `Cannot ${attempt}: there is no home folder, set HOME or XDG_STATE_HOME`,
  );
}

/** Writes a file there, whole or not at all, and for this user alone. Throws a UserError. */
export async function writeState(
  file: string,
  bytes: Uint8Array,
  what: string,
): Promise<void> {
  const part = `${file}.${crypto.randomUUID()}.tmp`;
  try {
    await Deno.mkdir(join(file, ".."), { recursive: true, mode: 0o700 });
    await Deno.writeFile(part, bytes, { mode: 0o600, createNew: true });
    await Deno.rename(part, file);
  } catch (error) {
    throw systemFailure(`write ${what} "${file}"`, error);
  }
}
