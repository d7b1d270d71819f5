import type { Agent } from "./agent.ts";

/** What a facade is given: the agent, and the program's edges. */
export interface FacadeHost {
  readonly agent: Agent;
  /** Session to start with, already resolved; undefined mints a new one. */
  readonly resume?: string;
  /** First question, from the command line. */
  readonly question?: string;
  /** Aborted by SIGTERM: finish saving, then return. */
  readonly signal: AbortSignal;
  /** Colours may be used. */
  readonly color: boolean;
  /** Show answers only. */
  readonly quiet: boolean;
}
