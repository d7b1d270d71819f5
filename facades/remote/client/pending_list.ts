import type { Pending } from "./view.ts";

/** A message on its way, and the session it is for. */
export interface Sent extends Pending {
  readonly session: string;
}

/** What was sent and no record has yet, in the order it was sent. */
export class PendingList {
  #all: readonly Sent[];
  readonly #free: Set<string>; // said in the way that fits when they go out
  readonly #confirmed = new Set<string>(); // their events have yet to come

  /** Begins with what an earlier client left. */
  constructor(all: readonly Sent[] = []) {
    this.#all = all;
    this.#free = new Set(all.map((sent) => sent.id));
  }

  get all(): readonly Sent[] {
    return this.#all;
  }

  /** Those of one session. */
  of(session: string): readonly Pending[] {
    return this.#all.filter((sent) => sent.session === session);
  }

  /** `free`: how it is said may be decided when it goes out. */
  add(sent: Sent, free = false): void {
    this.#all = [...this.#all, sent];
    if (free) this.#free.add(sent.id);
  }

  remove(id: string): void {
    this.#all = this.#all.filter((sent) => sent.id !== id);
    this.#free.delete(id);
    this.#confirmed.delete(id);
  }

  /** The record has it, and its event is on its way: the bubble stands until its message does. */
  confirm(id: string): void {
    this.#confirmed.add(id);
  }

  /** A replay was whole: what was confirmed is in it, or is older than all of it. */
  removeConfirmed(): void {
    for (const id of this.#confirmed) this.remove(id);
  }

  refuse(id: string, refused: string): void {
    this.#change(id, { refused });
  }

  /** The way it goes out in, when it is free: joining the running turn, or asking. */
  fit(id: string, type: Sent["type"], running: boolean): Sent["type"] {
    if (!this.#free.has(id)) return type;
    const fitting = running ? "steer" : "prompt";
    if (fitting !== type) this.#change(id, { type: fitting });
    return fitting;
  }

  /** What was refused is on its way again, as the newest. */
  renew(id: string): Sent | undefined {
    const found = this.#all.find((s) => s.id === id && s.refused !== undefined);
    if (!found) return undefined;
    const { refused: _, ...sent } = found;
    this.remove(id);
    this.add(sent, true);
    return sent;
  }

  /** A session goes on under another id. */
  rename(from: string, to: string): void {
    this.#all = this.#all.map((sent) =>
      sent.session === from ? { ...sent, session: to } : sent
    );
  }

  #change(id: string, change: Partial<Sent>): void {
    this.#all = this.#all.map((sent) =>
      sent.id === id ? { ...sent, ...change } : sent
    );
  }
}
