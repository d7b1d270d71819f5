import type { Agent } from "../../core/agent.ts";
import type { FacadeHost } from "../../core/facade.ts";
import { Models } from "./models.ts";

/** The projects that sessions are about; each has an agent of its own. */
export class Projects {
  readonly #host: FacadeHost;
  readonly #agents = new Set<Agent>();
  readonly #models = new Map<Agent, Models>();

  constructor(host: FacadeHost) {
    this.#host = host;
    this.#agents.add(host.agent);
  }

  /** That of the folder the program was started in. */
  get first(): Agent {
    return this.#host.agent;
  }

  /** The agent of the project `cwd` is in. */
  async of(cwd: string): Promise<Agent> {
    const agent = await this.#host.agentFor?.(cwd) ?? this.#host.agent;
    this.#agents.add(agent);
    return agent;
  }

  /** Those met so far. */
  all(): Agent[] {
    return [...this.#agents];
  }

  /** The models an agent's server offers. */
  models(agent: Agent): Models {
    const models = this.#models.get(agent) ?? new Models();
    this.#models.set(agent, models);
    return models;
  }

  /** Asks no server any more. The agents are the caller's to close. */
  async close(): Promise<void> {
    await Promise.all([...this.#models.values()].map((m) => m.close()));
  }
}
