import type { Listener } from "../../core/record.ts";
import type { AgentHandle, SessionHandle } from "../../core/handle.ts";

/** The session a screen shows, and the changing of it. */
export class Attached {
  readonly #agent: AgentHandle;
  readonly #listener: Listener;
  readonly #approves: boolean;
  #session: SessionHandle;
  #stop: () => void;

  constructor(
    agent: AgentHandle,
    session: SessionHandle,
    options: { readonly listener: Listener; readonly approves: boolean },
  ) {
    this.#agent = agent;
    this.#listener = options.listener;
    this.#approves = options.approves;
    this.#session = session;
    this.#stop = this.#subscribe();
  }

  get session(): SessionHandle {
    return this.#session;
  }

  /** Shows `next` from now on; the old one is saved and let go. */
  async change(next: SessionHandle): Promise<void> {
    if (next === this.#session) return;
    const old = this.#session;
    this.#stop();
    this.#session = next;
    this.#stop = this.#subscribe();
    await this.#agent.release(old);
  }

  /** Leaves the session and stops listening; a title may take `patience` milliseconds. */
  async close(patience = 0): Promise<void> {
    await this.#session.leave(patience);
    this.#stop();
  }

  #subscribe(): () => void {
    return this.#session.subscribe(this.#listener, {
      approves: this.#approves,
    });
  }
}
