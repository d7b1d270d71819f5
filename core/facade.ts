import type { Agent } from "./agent.ts";
import type { AgentHandle, SessionHandle } from "./handle.ts";
import type { Session } from "./session.ts";

/** What a facade is given: the agent, and the program's edges. */
export interface FacadeHost {
  /** The sessions, and what they work with. */
  readonly agent: Agent;
  /**
   * The agent of the project that folder `cwd` belongs to; the caller closes
   * it. Absent: `agent` serves them all. Throws a ConfigError.
   */
  readonly agentFor?: (cwd: string) => Promise<Agent>;
  /** The session to show first, when one was asked for; else the facade opens a new one. */
  readonly session?: Session;
  /** The question of `mm run`: ask it, print the answer, return. Undefined: a conversation. */
  readonly question?: string;
  /** How answers are printed off a TTY; `json` is every update as a line of JSON. */
  readonly output: "text" | "json";
  /** Aborted by SIGINT, SIGTERM or SIGHUP: cancel, finish saving, return. */
  readonly signal: AbortSignal;
  /** Colours may be used. */
  readonly color: boolean;
  /** Answers and errors only: no notices, no progress. */
  readonly quiet: boolean;
  /** Lines to show at the start (the demo model's label, where the configuration came from). */
  readonly notices: readonly string[];
  /** What to type to come back, before the session's id. Default `mm --session`. */
  readonly comeBack?: string;
}

/** What a screen is given: its agent may be one on a server. */
export type ScreenHost = Omit<FacadeHost, "agent" | "agentFor" | "session"> & {
  readonly agent: AgentHandle;
  readonly session?: SessionHandle;
};
