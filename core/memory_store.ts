import type { SessionEvent } from "./event.ts";
import { empty, fold, type SessionState } from "./fold.ts";
import {
  checkAppend,
  checkMove,
  type ListQuery,
  type Page,
  paginate,
  type Store,
  summarize,
  type Summary,
} from "./store.ts";

/** Sessions that die with the process: for `sessions.enabled: false`, and for tests. */
export class MemoryStore implements Store {
  /** As in agent.yaml. */
  readonly name = "memory";
  /** Neither durable nor bounded. */
  readonly supports = { durable: false, bounded: false, live: false };
  readonly #states = new Map<string, SessionState>();

  // deno-lint-ignore require-await -- the interface is asynchronous
  async append(id: string, events: readonly SessionEvent[]): Promise<void> {
    const state = this.#states.get(id);
    checkAppend(id, state?.seq, events);
    if (events.length === 0) return;
    this.#states.set(id, events.reduce(fold, state ?? empty()));
  }

  read(id: string): Promise<SessionState | undefined> {
    return Promise.resolve(this.#states.get(id));
  }

  // deno-lint-ignore require-await -- the interface is asynchronous
  async list(query?: ListQuery): Promise<Page<Summary>> {
    const all = [...this.#states].map(([id, state]) => summarize(id, state));
    return paginate(all, query);
  }

  // deno-lint-ignore require-await -- the interface is asynchronous
  async move(from: string, to: string): Promise<void> {
    checkMove(from, to, (id) => this.#states.has(id));
    const state = this.#states.get(from);
    if (state) this.#states.set(to, state);
    this.#states.delete(from);
  }

  remove(id: string): Promise<void> {
    this.#states.delete(id);
    return Promise.resolve();
  }

  /** Forgets everything. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#states.clear();
    return Promise.resolve();
  }
}
