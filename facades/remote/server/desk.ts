import type { Agent } from "../../../core/agent.ts";
import { assertId, isId } from "../../../core/id.ts";
import type { Bounds } from "../../../core/ring.ts";
import type { Session } from "../../../core/session.ts";
import { Refused } from "./refused.ts";
import { Served } from "./served.ts";

/** How long sessions are kept, and how much of each. */
export interface DeskInit {
  readonly agent: Agent;
  readonly replay: Bounds;
  /** A session that is idle and watched by nobody is let go after so long. */
  readonly idleReleaseMs: number;
}

/** The sessions that are served. */
export class Desk {
  readonly #init: DeskInit;
  readonly #served = new Map<string, Served>();
  readonly #busy = new Map<string, Promise<unknown>>(); // one opens or closes an id at a time
  readonly #timers = new Map<Served, ReturnType<typeof setTimeout>>();
  #closed = false;

  constructor(init: DeskInit) {
    this.#init = init;
  }

  /** The session `id`, live or from the store. Throws Refused when there is none. */
  async session(id: string): Promise<Served> {
    const served = isId(id) ? await this.#open(id) : undefined;
    if (served && !served.removed) return served;
    throw noSession(id);
  }

  /** Removes a conversation for good; all who show it are told. */
  async remove(id: string): Promise<void> {
    if (!isId(id)) throw noSession(id);
    await this.#init.agent.remove(id);
  }

  /** The session whose record is of `epoch`, when it went on from `id` unheard. */
  goneOn(id: string, epoch: string | undefined): Served | undefined {
    if (epoch === undefined) return undefined;
    return [...this.#served.values()]
      .find((served) => served.epoch === epoch && served.wentOnFrom(id));
  }

  /** The session `id`, begun when there is none; a new one without `id`. */
  async begin(id: string | undefined): Promise<Served> {
    const { agent } = this.#init;
    if (id === undefined) return this.#serve(agent.create());
    try {
      assertId(id);
    } catch (error) {
      throw new Refused("bad_message", (error as Error).message);
    }
    return await this.#alone(id, async () => {
      const served = this.#served.get(id) ??
        this.#serve(await agent.session(id) ?? agent.create({}, id));
      served.removed = false;
      return served;
    });
  }

  /** Stops what runs and what waits, saves, and listens no more. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    const all = [...this.#served.values()];
    await Promise.all(all.map(({ session }) => session.close()));
    for (const served of all) served.close();
    await Promise.all(all.map((s) => this.#init.agent.release(s.session)));
    this.#served.clear();
  }

  async #open(id: string): Promise<Served | undefined> {
    return await this.#alone(id, async () => {
      const served = this.#served.get(id);
      // Else the next question would bring back what another process removed.
      if (served && await this.#isMissing(served)) {
        return await this.#abandon(served);
      }
      if (served) return served;
      const session = await this.#init.agent.session(id);
      return session && this.#serve(session);
    });
  }

  // What has a message was stored. A turn that runs stores what it says, come what may.
  async #isMissing({ session, removed }: Served): Promise<boolean> {
    const { store } = this.#init.agent;
    if (removed || !store.supports.durable) return false;
    if (session.running || session.state.messages.length === 0) return false;
    try {
      return await store.read(session.id) === undefined;
    } catch {
      return false; // it cannot be read, and is there
    }
  }

  // By now the id may be another conversation's: nothing is removed.
  async #abandon(served: Served): Promise<undefined> {
    const { session } = served;
    this.#served.delete(session.id);
    served.abandon();
    await this.#init.agent.release(session);
  }

  #serve(session: Session): Served {
    const known = this.#served.get(session.id);
    if (known) return known;
    const served: Served = new Served({
      session,
      replay: this.#init.replay,
      moved: (from, to) => this.#move(served, from, to),
      quiet: () => this.#releaseLater(served),
    });
    this.#served.set(session.id, served);
    this.#releaseLater(served);
    return served;
  }

  #move(served: Served, from: string, to: string): void {
    if (this.#served.get(from) === served) this.#served.delete(from);
    this.#served.set(to, served);
  }

  #releaseLater(served: Served): void {
    clearTimeout(this.#timers.get(served));
    if (this.#closed) return;
    const timer = setTimeout(
      () => void this.#release(served),
      this.#init.idleReleaseMs,
    );
    Deno.unrefTimer(timer);
    this.#timers.set(served, timer);
  }

  // Whoever comes back, or asks, starts the time anew.
  async #release(served: Served): Promise<void> {
    this.#timers.delete(served);
    const { session } = served;
    const isIdle = () =>
      !served.watched && !session.running && session.waiting === 0;
    if (!isIdle()) return;
    await this.#alone(session.id, async () => {
      if (!isIdle() || this.#served.get(session.id) !== served) return;
      this.#served.delete(session.id);
      served.close();
      await this.#init.agent.release(session);
    });
  }

  async #alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#busy.get(id) ?? Promise.resolve();
    const result = before.then(work);
    const after = result.catch(() => {}).then(() => {
      if (this.#busy.get(id) === after) this.#busy.delete(id);
    });
    this.#busy.set(id, after);
    return await result;
  }
}

function noSession(id: string): Refused {
  return new Refused(
    "no_session",
    `Cannot find session "${id}": it was removed, or it never was here`,
  );
}
