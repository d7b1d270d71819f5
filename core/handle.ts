import type { Agent } from "./agent.ts";
import type { Session, SessionSettings } from "./session.ts";

/**
 * A conversation as screens and commands meet it. A `Session` is one; a client
 * of `mm serve` has another, whose session lives on the server.
 */
export interface SessionHandle extends
  Pick<
    Session,
    | "approvals"
    | "cancel"
    | "compact"
    | "decide"
    | "fail"
    | "id"
    | "idle"
    | "leave"
    | "passing"
    | "prompt"
    | "rename"
    | "retry"
    | "running"
    | "state"
    | "steer"
    | "subscribe"
    | "turnsOver"
    | "waiting"
  > {
  /** Who answers, and who decides on tool calls. */
  readonly settings: Pick<SessionSettings, "model" | "mode">;
  /** How many screens show it, where that is known. */
  readonly presence?: number;
}

/** The agent as screens and commands meet it: an `Agent`, or one on a server. */
export interface AgentHandle extends
  Pick<
    Agent,
    "commands" | "cwd" | "list" | "model" | "read" | "remove" | "tools"
  > {
  /** A new conversation. Nothing is written before its first question. */
  create(): SessionHandle;
  /** The conversation `id`; undefined when there is none. */
  session(id: string): Promise<SessionHandle | undefined>;
  /** Lets go of a conversation that is shown no more. */
  release(session: SessionHandle): Promise<void>;
  /** Opens another model by name; new sessions start with it. */
  useModel(name: string, session?: SessionHandle): Promise<Agent["model"]>;
}
