import { EXIT } from "../exit.ts";
import type { Flags } from "../flags.ts";
import { printJson, say } from "../output.ts";
import { UsageError } from "../usage_error.ts";
import { agreeTo } from "./ask_trust.ts";
import { findModule, type Module } from "./module.ts";
import { nameInConfig } from "./name_in_config.ts";
import { externalNames, isExternal } from "./names.ts";
import { openPlace } from "./open_place.ts";
import type { JsonOption } from "./program.ts";
import { trust, trustedFile } from "./trusted.ts";

/** Whether it is asked first. */
export interface TrustOptions extends JsonOption {
  readonly yes?: true | undefined;
}

/** `mm plugin trust`: from now on exactly this code may run. */
export async function trustPlugins(
  typed: readonly string[],
  { yes, json }: TrustOptions,
  flags: Flags,
): Promise<number> {
  const { place, loaded } = await openPlace(flags);
  const names = typed.length > 0
    ? typed.map((name) => nameInConfig(name, place))
    : externalNames(loaded.config);
  const builtIn = names.find((name) => !isExternal(name));
  if (builtIn !== undefined) {
    throw new UsageError(
      `Cannot trust plugin "${builtIn}": only those from outside need it, a path or npm:<package>`,
    );
  }
  const modules: Module[] = [];
  for (const name of names) {
    const module = await findModule(name, place.project);
    if (!await ensureTrusted(module, yes ?? false)) return EXIT.cancelled;
    modules.push(module);
  }
  const told = modules.map(({ name, hash }) => ({ name, sha256: hash }));
  if (json) await printJson(told);
  else if (!flags.quiet) {
    for (const { name, sha256 } of told) {
      say(`Trusted ${name} (sha256 ${sha256})`);
    }
    if (told.length === 0) {
      say("Nothing to trust: agent.yaml names no plugin from outside");
    }
  }
  return EXIT.ok;
}

/** Trusts a plugin's code by `--yes` or an answer; false when the answer is no. */
export async function ensureTrusted(
  module: Module,
  yes: boolean,
): Promise<boolean> {
  if (await trustedFile(module.hash) !== undefined) return true;
  if (yes) {
    await trust(await module.bytes());
    return true;
  }
  if (Deno.stdin.isTerminal()) return await agreeTo(module);
  throw new UsageError(
    `Cannot trust plugin "${module.name}" (sha256 ${module.hash}) without asking: read it, then add --yes`,
  );
}
