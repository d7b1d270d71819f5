import { errorLine, UserError } from "../../../core/error.ts";
import type { Bundle, Plugin } from "../../../core/plugin.ts";
import { soon } from "../../../core/soon.ts";
import { broken, BrokenPluginError } from "./broken.ts";
import { openedProblem } from "./opened.ts";

/** How a plugin is opened. */
export interface OpenOptions {
  /** Told what is wrong with a bundle that mm goes on without. Default: it is thrown. */
  readonly tell?: ((line: string) => void) | undefined;
  /** How long it may take. */
  readonly patience?: number;
}

/** A plugin whose faults when it starts are told as its own, and not as mm's. */
export function guarded(
  name: string,
  plugin: Plugin,
  { tell, patience = START_MS }: OpenOptions = {},
): Plugin {
  if (plugin.kind === "facade") return plugin;
  const open = async (options: never, host: never) => {
    try {
      const opened = await soon(
        Promise.try(() => plugin.open(options, host) as unknown),
        patience,
      );
      if (opened === "late") throw broken(name, late(patience));
      const wrong = openedProblem(plugin.kind, opened);
      if (wrong) throw broken(name, wrong);
      return plugin.kind === "plugin"
        ? checked(name, opened as Bundle)
        : opened;
    } catch (error) {
      const told = asBroken(name, error);
      if (!(told instanceof BrokenPluginError)) throw told;
      if (plugin.kind !== "plugin" || !tell) throw told;
      tell(`${errorLine(told)}; mm goes on without it`);
      return {};
    }
  };
  return { ...plugin, open } as unknown as Plugin;
}

// What its hook gives is what the model reads next.
function checked(name: string, bundle: Bundle): Bundle {
  const { context } = bundle;
  if (!context) return bundle;
  return {
    ...bundle,
    // Bound one by one: those of a class would not be copied.
    ...(bundle.tools && { tools: bundle.tools }),
    ...(bundle.commands && { commands: bundle.commands }),
    ...(bundle.beforeRotate && {
      beforeRotate: bundle.beforeRotate.bind(bundle),
    }),
    ...(bundle.serve && { serve: bundle.serve.bind(bundle) }),
    async context(...given: Parameters<typeof context>) {
      const messages = await context.apply(bundle, given);
      const good = Array.isArray(messages) &&
        messages.every((m) => typeof m?.role === "string");
      if (good) return messages;
      throw broken(name, "its context gives no list of messages");
    },
  };
}

// A store may have much to do when it is opened.
const START_MS = 30_000;

function late(patience: number): string {
  return `it is not done starting after ${patience / 1000} s`;
}

// What the user can mend is told as it is.
function asBroken(name: string, error: unknown): UserError {
  if (error instanceof UserError) return error;
  return broken(name, `starting it failed: ${errorLine(error)}`, error);
}
