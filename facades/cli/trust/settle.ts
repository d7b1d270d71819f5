import type { Power } from "../../../core/powers.ts";
import type { Loaded, Trust } from "../load_config.ts";
import { agreeToPowers } from "./ask.ts";
import { WAY_OUT } from "./hold.ts";
import { remember } from "./remember.ts";

/** A configuration whose trust is decided, and what to tell about it. */
export interface Settled {
  readonly loaded: Loaded;
  readonly notices: readonly string[];
}

/** Who is asked about what. */
export interface SettleOptions {
  readonly project: string;
  /** Somebody may be asked. */
  readonly asks: boolean;
  /** Those that make no difference now, and so are no reason to ask or to tell. */
  readonly moot: (power: Power) => boolean;
}

/**
 * Asks, where somebody can answer, whether a project's configuration may do
 * what it would; else mm goes on without, and says so.
 */
export async function settle(
  loaded: Loaded & { readonly trust: Trust },
  { project, asks, moot }: SettleOptions,
): Promise<Settled> {
  const { powers } = loaded.trust;
  const reasons = powers.filter((power) => !moot(power));
  if (reasons.length === 0) return { loaded, notices: [] };
  if (asks && Deno.stdin.isTerminal() && Deno.stderr.isTerminal()) {
    if (await agreeToPowers(powers, project)) {
      return {
        loaded: { ...loaded, trust: { powers, given: true } },
        notices: await remember(powers, project),
      };
    }
  }
  return { loaded, notices: [heldLine(reasons, loaded.file ?? "agent.yaml")] };
}

function heldLine(powers: readonly Power[], file: string): string {
  const without = new Set(powers.map(({ type }) => WITHOUT[type]));
  return `You have not trusted ${file} with all it would do: ${
    [...without].join(", ")
  }; ${WAY_OUT}`;
}

const WITHOUT: Readonly<Record<Power["type"], string>> = {
  server: "its MCP servers are not started",
  mode: "tool calls are asked about",
  command: "tool calls are asked about",
  send: "nothing is sent",
  prompt: "its prompt is not used",
  store: "its store is not used",
  expiry: "no conversation is removed",
  listen: "mm serve listens on this machine alone",
  names: "mm serve is not called by its names",
};
