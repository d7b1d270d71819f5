import { EXIT } from "../exit.ts";
import type { Flags } from "../flags.ts";
import { printJson, say } from "../output.ts";
import { UsageError } from "../usage_error.ts";
import { nameInConfig } from "./name_in_config.ts";
import { externalNames, isExternal } from "./names.ts";
import { openPlace } from "../open_place.ts";
import type { JsonOption } from "./program.ts";
import { trustModules } from "./trust_modules.ts";

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
  const modules = await trustModules(names, place.project, yes ?? false);
  if (!modules) return EXIT.cancelled;
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
