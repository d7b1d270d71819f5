import type { Pending } from "./view.ts";

/** A message on its way, and the session it is for. */
export interface Sent extends Pending {
  readonly session: string;
}

/** What was sent and no record has yet, in the order it was sent. */
export class PendingList {
  #all: readonly Sent[];

  constructor(all: readonly Sent[] = []) {
    this.#all = all.filter((sent) => sent.refused === undefined);
  }

  get all(): readonly Sent[] {
    return this.#all;
  }

  /** Those of one session. */
  of(session: string): readonly Pending[] {
    return this.#all.filter((sent) => sent.session === session);
  }

  add(sent: Sent): void {
    this.#all = [...this.#all, sent];
  }

  remove(id: string): void {
    this.#all = this.#all.filter((sent) => sent.id !== id);
  }

  refuse(id: string, refused: string): void {
    this.#all = this.#all.map((sent) =>
      sent.id === id ? { ...sent, refused } : sent
    );
  }

  /** It goes out in another way than was thought. */
  retype(id: string, type: Pending["type"]): void {
    this.#all = this.#all.map((sent) =>
      sent.id === id && sent.type !== type ? { ...sent, type } : sent
    );
  }

  /** What was refused is on its way again, as the newest. */
  renew(id: string): Sent | undefined {
    const found = this.#all.find((s) => s.id === id && s.refused !== undefined);
    if (!found) return undefined;
    const { refused: _, ...sent } = found;
    this.remove(id);
    this.add(sent);
    return sent;
  }

  /** A session goes on under another id. */
  rename(from: string, to: string): void {
    this.#all = this.#all.map((sent) =>
      sent.session === from ? { ...sent, session: to } : sent
    );
  }
}
