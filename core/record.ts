import { ConflictError } from "./error.ts";
import type { EventDraft, Live, SessionEvent, Update } from "./event.ts";
import { empty, fold, type SessionState } from "./fold.ts";
import { newId } from "./id.ts";
import { repair } from "./repair.ts";
import type { Store } from "./store.ts";

/** Hears what happens in a session, in order. One that throws hears nothing more. */
export type Listener = (update: Update) => void;

/** What a record is born with. */
export interface RecordInit {
  readonly store: Store;
  readonly cwd: string;
  /** Name of the model, for the opening event. */
  readonly model: () => string;
  readonly now: () => Date;
}

/**
 * The only writer of one session's record: it gives events their `seq` and
 * `at`, folds them, has the store append them, and tells the listeners.
 */
export class SessionRecord {
  readonly #init: RecordInit;
  readonly #listeners = new Set<Listener>();
  #id: string;
  #state: SessionState;
  #held: SessionEvent[] = []; // true, but not worth a write: no question, no file
  #parent: string | undefined; // of the conversation that begins next
  #tail: Promise<unknown> = Promise.resolve();

  constructor(id: string, init: RecordInit, stored?: SessionState) {
    this.#id = id;
    this.#init = init;
    this.#state = stored ?? empty();
    if (stored) this.#hold(this.#stamp(repair(stored, init.now())));
  }

  /** Where the record is kept now; it changes when another process wrote to the same one. */
  get id(): string {
    return this.#id;
  }

  /** The fold of all events so far, repairs included. */
  get state(): SessionState {
    return this.#state;
  }

  /** Calls `listener`, which must not throw, with every update from now on; the returned function stops it. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells the listeners something that is not kept. */
  show(live: Live): void {
    this.#emit(live);
  }

  /**
   * Adds events after all that were added before, and resolves once they are
   * stored. Throws when the store cannot write; then nothing was added.
   */
  append(...drafts: readonly EventDraft[]): Promise<readonly SessionEvent[]> {
    return this.appendFrom(() => drafts);
  }

  /** The same for events that depend on the state they follow; none are added when `drafts` gives none. */
  appendFrom(
    drafts: (state: SessionState) => readonly EventDraft[],
  ): Promise<readonly SessionEvent[]> {
    return this.#queue(() => this.#append(drafts(this.#state)));
  }

  /** Stores the opening event alone, unless more is stored. */
  begin(): Promise<void> {
    return this.#queue(async () => {
      if (this.#saved > 0) return;
      const events = this.#stamp(this.#begun([]));
      await this.#save(events);
      for (const event of events) this.#emit(event);
      this.#notice();
    });
  }

  /** Runs `work` when all appends before it are stored, and holds back those after it. */
  #queue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work);
    this.#tail = result.catch(() => {});
    return result;
  }

  /** Resolves when all that was added is stored. */
  settled(): Promise<unknown> {
    return this.#tail;
  }

  /** Moves what was recorded to the id `to` and starts empty; false when there was nothing to move. */
  rotate(to: string): Promise<boolean> {
    return this.#queue(async () => {
      const stored = this.#saved > 0;
      if (stored) await this.#archive(to);
      this.#clear();
      if (stored) this.#parent = to;
      return stored;
    });
  }

  /** Forgets what was recorded, here and in the store, and starts empty. */
  erase(): Promise<void> {
    return this.#queue(async () => {
      await this.#init.store.remove(this.#id);
      this.#clear();
      this.#parent = undefined;
    });
  }

  #clear(): void {
    this.#state = empty();
    this.#held = [];
  }

  // When another process took the record away, what is known of it here is archived.
  async #archive(to: string): Promise<void> {
    try {
      await this.#init.store.move(this.#id, to);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      await this.#restore(to, this.#state);
    }
  }

  async #restore(id: string, state: SessionState): Promise<void> {
    const { seq, updatedAt: at } = state;
    await this.#init.store.append(id, [{ type: "restored", seq, at, state }]);
  }

  async #append(
    drafts: readonly EventDraft[],
  ): Promise<readonly SessionEvent[]> {
    if (drafts.length === 0) return [];
    const events = this.#stamp(this.#begun(drafts));
    const asks = this.#saved > 0 || drafts.some((d) => d.type === "message");
    if (asks) await this.#save(events);
    else this.#hold(events);
    for (const event of events) this.#emit(event);
    if (asks) this.#notice();
    return events;
  }

  async #save(events: readonly SessionEvent[]): Promise<void> {
    await this.#write([...this.#held, ...events]);
    this.#hold(events);
    this.#held = [];
  }

  // A record starts with its opening event, whatever comes first.
  #begun(drafts: readonly EventDraft[]): readonly EventDraft[] {
    if (this.#state.seq > 0) return drafts;
    const { cwd, model } = this.#init;
    const parent = this.#parent !== undefined && { parent: this.#parent };
    return [{ type: "opened", cwd, model: model(), ...parent }, ...drafts];
  }

  // Another writer got there first: keep both, ours under a fresh id.
  async #write(events: readonly SessionEvent[]): Promise<void> {
    const { store, now } = this.#init;
    try {
      await store.append(this.#id, events);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      const from = this.#id;
      const to = newId(now());
      const state = { ...this.#state, parent: from };
      const added = events.slice(this.#held.length);
      await this.#restore(to, added.reduce(fold, state));
      this.#state = state;
      this.#id = to;
      this.#emit({ type: "moved", from, to });
    }
  }

  get #saved(): number {
    return this.#state.seq - this.#held.length;
  }

  #stamp(drafts: readonly EventDraft[]): SessionEvent[] {
    const at = this.#init.now().toISOString();
    return drafts.map((draft, i) => ({
      ...draft,
      seq: this.#state.seq + 1 + i,
      at: draft.at ?? at,
    }));
  }

  #hold(events: readonly SessionEvent[]): void {
    this.#held.push(...events);
    this.#state = events.reduce(fold, this.#state);
  }

  // After the events: what is odd about the store matters less than they do.
  #notice(): void {
    for (const text of this.#init.store.notices?.() ?? []) {
      this.#emit({ type: "notice", level: "warning", text });
    }
  }

  #emit(update: Update): void {
    for (const listener of this.#listeners) listener(update);
  }
}
