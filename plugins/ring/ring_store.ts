import { isDurable, type SessionEvent, type Update } from "../../core/event.ts";
import { fold, type SessionState } from "../../core/fold.ts";
import { foldAll } from "../../core/fold_all.ts";
import { type Bounds, Ring, type Slice } from "../../core/ring.ts";
import {
  type Abilities,
  checkAppend,
  checkMove,
  type ListQuery,
  type Page,
  paginate,
  type Store,
  summarize,
  type Summary,
} from "../../core/store.ts";

/** What a session's ring holds unless told otherwise. */
export const DEFAULT_BOUNDS: Bounds = {
  events: 10_000,
  bytes: 8 * 1024 ** 2,
};

/**
 * Keeps the newest updates of each session, in memory alone: sessions end
 * with the process. Of a session that outgrew its ring, the messages of the
 * newest events are left; title, turns and usage still count them all.
 */
export class RingStore implements Store {
  readonly name = "ring";
  readonly supports: Abilities = { durable: false, bounded: true, live: true };
  readonly #bounds: Bounds;
  readonly #records = new Map<string, Recorded>();

  constructor(bounds: Partial<Bounds> = {}) {
    this.#bounds = { ...DEFAULT_BOUNDS, ...bounds };
  }

  // deno-lint-ignore require-await -- the interface is asynchronous
  async append(id: string, events: readonly SessionEvent[]): Promise<void> {
    const record = this.#records.get(id);
    checkAppend(id, record?.seq, events);
    if (events.length === 0) return;
    const kept = record ?? new Recorded(this.#bounds);
    if (!record) this.#records.set(id, kept);
    for (const event of events) kept.push(event);
  }

  /**
   * Adds a live update at its place among the events; it makes room before
   * any event does. Nothing happens when there is no such session. Events are
   * `append`'s, which knows whether they follow.
   */
  push(id: string, update: Update): void {
    if (isDurable(update)) {
      throw new TypeError(
        `Cannot push event ${update.seq} to session ${id}: append it`,
      );
    }
    this.#records.get(id)?.push(update);
  }

  /** What came after the position `since`, live updates included; undefined when there is no such session. */
  slice(id: string, since = 0): Slice<Update> | undefined {
    return this.#records.get(id)?.ring.slice(since);
  }

  read(id: string): Promise<SessionState | undefined> {
    return Promise.resolve(this.#records.get(id)?.state());
  }

  // deno-lint-ignore require-await -- the interface is asynchronous
  async list(query?: ListQuery): Promise<Page<Summary>> {
    const all = [...this.#records].map(([id, record]) =>
      summarize(id, record.state())
    );
    return paginate(all, query);
  }

  // deno-lint-ignore require-await -- the interface is asynchronous
  async move(from: string, to: string): Promise<void> {
    checkMove(from, to, (id) => this.#records.has(id));
    const record = this.#records.get(from);
    if (record) this.#records.set(to, record);
    this.#records.delete(from);
  }

  remove(id: string): Promise<void> {
    this.#records.delete(id);
    return Promise.resolve();
  }

  /** Forgets everything. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#records.clear();
    return Promise.resolve();
  }
}

/** One session: its ring, and what is left of the events that fell out of it. */
class Recorded {
  readonly ring: Ring<Update>;
  seq = 0;
  #past: SessionState | undefined; // the fold of what was dropped; its messages count for nothing
  #state: SessionState | undefined; // until the next event

  constructor(bounds: Bounds) {
    this.ring = new Ring<Update>(bounds, {
      dropped: (update) => this.#drop(update),
    });
  }

  push(update: Update): void {
    if (isDurable(update)) {
      this.seq = update.seq;
      this.#state = undefined;
    }
    this.ring.push(update, !isDurable(update));
  }

  state(): SessionState {
    return this.#state ??= this.#fold();
  }

  #fold(): SessionState {
    const events = this.#events();
    if (!this.#past) return foldAll(events);
    return foldAll(events.slice(1), bare(this.#past)); // the first is in the past, too
  }

  // Of live updates it is not told: they are no part of the past.
  #drop(update: Update): void {
    if (!isDurable(update)) return;
    this.#past ??= { ...foldAll(this.#events().slice(0, 1)), truncated: true };
    // Bare each time: what is not kept needs no copy at the next fold.
    this.#past = bare(fold(this.#past, update));
  }

  #events(): readonly SessionEvent[] {
    return this.ring.slice().items.map(({ item }) => item).filter(isDurable);
  }
}

function bare(state: SessionState): SessionState {
  return { ...state, messages: [], errors: [] };
}
