import { powerLine } from "../../../core/power_line.ts";
import { clean } from "../clean.ts";
import { EXIT } from "../exit.ts";
import type { Flags } from "../flags.ts";
import type { Loaded, Trust } from "../load_config.ts";
import { printJson, say } from "../output.ts";
import { externalNames } from "../plugin/names.ts";
import { openPlace } from "../open_place.ts";
import type { JsonOption } from "../plugin/program.ts";
import { trustModules } from "../plugin/trust_modules.ts";
import { UsageError } from "../usage_error.ts";
import { agreeToPowers, showPowers } from "./ask.ts";
import { revoke, trust } from "./trusted.ts";

/** What `mm trust` may be asked for. */
export interface TrustOptions extends JsonOption {
  readonly yes?: true | undefined;
  readonly revoke?: true | undefined;
}

/** `mm trust`: lets this project's agent.yaml do what it says, plugins from outside included. */
export async function trustProject(
  options: TrustOptions,
  flags: Flags,
): Promise<number> {
  const { place: { project }, loaded } = await openPlace(flags);
  if (options.revoke) return await takeBack(project, options, flags);
  const { powers, given } = loaded.trust ?? NOTHING;
  if (!given && !await letIt(powers, project, options)) return EXIT.cancelled;
  const names = externalNames(loaded.config);
  const modules = await trustModules(names, project, options.yes ?? false);
  if (!modules) return EXIT.cancelled;
  const plugins = modules.map(({ name, hash }) => ({ name, sha256: hash }));
  if (options.json) {
    await printJson({
      project,
      powers: powers.map((power) => ({ ...power, line: powerLine(power) })),
      plugins,
    });
  } else if (!flags.quiet) {
    if ((given || options.yes) && powers.length > 0) {
      showPowers(powers, project);
    }
    const lines = [
      ...powers.length > 0 ? ["Trusted agent.yaml with that"] : [],
      ...plugins.map(({ name, sha256 }) =>
        `Trusted ${name} (sha256 ${sha256})`
      ),
    ];
    for (const line of lines) say(clean(line));
    if (lines.length === 0) say(nothing(loaded));
  }
  return EXIT.ok;
}

const NOTHING: Trust = { powers: [], given: true };

async function letIt(
  powers: Trust["powers"],
  project: string,
  { yes }: TrustOptions,
): Promise<boolean> {
  if (!yes) {
    if (!Deno.stdin.isTerminal()) {
      showPowers(powers, project);
      throw new UsageError(
        "Cannot trust agent.yaml without asking: read it, then add --yes",
      );
    }
    if (!await agreeToPowers(powers, project)) return false;
  }
  await trust(project, powers);
  return true;
}

function nothing(loaded: Loaded): string {
  if (loaded.file === undefined) {
    return "Nothing to trust: there is no agent.yaml";
  }
  return clean(
    loaded.trust
      ? `Nothing to trust: ${loaded.file} does nothing unasked`
      : `Nothing to trust: you chose ${loaded.file} yourself`,
  );
}

async function takeBack(
  project: string,
  { json }: JsonOption,
  { quiet }: Flags,
): Promise<number> {
  const revoked = await revoke(project);
  if (json) await printJson({ project, revoked });
  else if (!quiet) {
    say(
      clean(
        revoked
          ? `Took back what ${project} was trusted with`
          : `Nothing to take back: ${project} was trusted with nothing`,
      ),
    );
  }
  return EXIT.ok;
}
