import { STANDARD } from "../../../core/assemble.ts";
import type { Config } from "../../../core/config.ts";
import { errorLine, UserError } from "../../../core/error.ts";
import type { Plugin } from "../../../core/plugin.ts";
import { plugins } from "../../../plugins/table.ts";
import { ABOUT } from "./about.ts";
import { loadModule } from "./load.ts";
import { findModule } from "./module.ts";
import { isExternal } from "./names.ts";
import { placesOf } from "./places.ts";
import { trustedFile } from "./trusted.ts";

/** What is to be known about a plugin. */
export interface Description {
  readonly name: string;
  readonly builtIn: boolean;
  readonly kind?: Plugin["kind"];
  readonly about?: string;
  /** The keys of agent.yaml that name it. */
  readonly usedBy: readonly string[];
  /** Every agent has it, whatever agent.yaml names. */
  readonly always?: boolean;
  /** Of one from outside: what is trusted, or is not. */
  readonly sha256?: string;
  readonly trusted?: boolean;
  /** Why it cannot be used. */
  readonly problem?: string;
}

/** Looks at a plugin; one from outside is imported only when it is trusted. */
export async function describe(
  name: string,
  config: Config,
  project: string,
): Promise<{ readonly about: Description; readonly plugin?: Plugin }> {
  const usedBy = placesOf(config, name).map(({ path }) => path.join("."));
  if (!isExternal(name)) {
    const plugin = await plugins[name]?.();
    const { kind } = plugin ?? {};
    const about = ABOUT[name];
    return {
      about: {
        name,
        builtIn: true,
        ...STANDARD.includes(name) && { always: true },
        ...(kind && { kind }),
        ...(about && { about }),
        usedBy,
      },
      ...(plugin && { plugin }),
    };
  }
  const base = { name, builtIn: false, usedBy };
  try {
    const module = await findModule(name, project);
    const known = { ...base, sha256: module.hash };
    if (await trustedFile(module.hash) === undefined) {
      return { about: { ...known, trusted: false } };
    }
    const here = { ...known, trusted: true };
    try {
      const plugin = await loadModule(module, { builtIn: plugins });
      return { about: { ...here, kind: plugin.kind }, plugin };
    } catch (error) {
      return { about: { ...here, problem: problem(error) } };
    }
  } catch (error) {
    return { about: { ...base, problem: problem(error) } };
  }
}

function problem(error: unknown): string {
  if (!(error instanceof UserError)) throw error;
  return errorLine(error);
}
