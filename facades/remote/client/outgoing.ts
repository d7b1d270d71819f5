import type { Update } from "../../../core/event.ts";
import type { Ack, ClientMessage, Refusal } from "../wire.ts";
import { Outbox } from "./outbox.ts";
import { PendingList, type Sent } from "./pending_list.ts";
import { RefusalError } from "./refusal_error.ts";
import { sizeProblem } from "./size_problem.ts";
import type { Pending, View } from "./view.ts";

/** All that goes to the server and waits for its answer; what is said stands in `pending` meanwhile. */
export class Outgoing {
  readonly #outbox = new Outbox();
  readonly #pending: PendingList;
  readonly #changed: () => void;
  #over: string | undefined; // why nothing goes out any more

  /** Begins with what an earlier client left; `changed` hears that something may go out. */
  constructor(pending: readonly Sent[] | undefined, changed: () => void) {
    this.#pending = new PendingList(pending);
    this.#changed = changed;
    for (const sent of this.#pending.all) {
      // What was refused waits for whoever said it.
      if (sent.refused === undefined) this.#post(sent).catch(() => {});
    }
  }

  /** What is being said, in all sessions. */
  get pending(): readonly Sent[] {
    return this.#pending.all;
  }

  pendingIn(session: string): readonly Pending[] {
    return this.#pending.of(session);
  }

  /** Says something. `free`: as a prompt or a steer, whichever fits when it goes out. */
  say(sent: Sent, free: boolean): Promise<Ack> {
    this.#pending.add(sent, free);
    return this.#post(sent);
  }

  /** Says again what was refused; undefined when there is no such thing. */
  again(id: string): Promise<Ack> | undefined {
    const sent = this.#pending.renew(id);
    return sent && this.#post(sent);
  }

  forget(id: string): void {
    this.#outbox.forget(id);
    this.#pending.remove(id);
    this.#changed();
  }

  /** Adds a message; resolves to its acknowledgement, rejects with a RefusalError. */
  async send(message: ClientMessage): Promise<Ack> {
    if (this.#over !== undefined) {
      throw new RefusalError("closed", this.#over);
    }
    const problem = sizeProblem(message);
    if (problem) throw new RefusalError("too_large", problem);
    const answered = this.#outbox.add(message);
    this.#changed();
    return await answered;
  }

  /** Hands what can go out to `send`, until that says no. */
  flush(
    send: (message: ClientMessage) => boolean,
    view: Pick<View, "session" | "running"> | undefined,
  ): void {
    this.#outbox.flush((message) => send(this.#fitting(message, view)));
  }

  /** The connection is gone: nobody knows what of it arrived. */
  lost(): void {
    this.#outbox.lost();
  }

  /** Takes an answer in. `expects` tells whether an event of that session and position has yet to come. */
  answer(
    message: Ack | Refusal,
    expects: (session: string, seq: number) => boolean,
  ): void {
    const done = this.#outbox.answer(message);
    if (done?.type !== "prompt" && done?.type !== "steer") return;
    if (message.type === "error") return; // whoever said it hears it
    const { seq } = message; // none: it was cancelled first
    const expected = seq !== undefined && expects(done.session, seq);
    if (expected) this.#pending.confirm(done.id);
    else this.#pending.remove(done.id);
  }

  /** What the record has is on its way no more. */
  recorded(updates: readonly Update[]): void {
    for (const update of updates) {
      for (const id of messageIds(update)) this.#pending.remove(id);
    }
  }

  /** A replay was whole. */
  replayed(): void {
    this.#pending.removeConfirmed();
  }

  /** A session goes on under another id. */
  rename(from: string, to: string): void {
    this.#pending.rename(from, to);
    this.#outbox.rename(from, to);
  }

  /** Nothing goes out any more; what is being said stays in `pending`, for the next client. */
  close(why: string): void {
    this.#over = why;
    this.#outbox.close(why);
  }

  async #post({ id, session, type, content }: Sent): Promise<Ack> {
    try {
      return await this.send({ id, session, type, content });
    } catch (error) {
      if (error instanceof RefusalError && error.code !== "closed") {
        this.#pending.refuse(id, error.message);
        this.#changed();
      }
      throw error;
    }
  }

  // The turn that was running when it was said may be over by now.
  #fitting(
    message: ClientMessage,
    view: Pick<View, "session" | "running"> | undefined,
  ): ClientMessage {
    if (message.type !== "prompt" && message.type !== "steer") return message;
    if (view?.session !== message.session) return message;
    const { id } = message;
    const type = this.#pending.fit(id, message.type, view.running);
    return { ...message, type };
  }
}

function messageIds(update: Update): readonly string[] {
  switch (update.type) {
    case "message":
      return [update.message.id];
    case "restored":
      return update.state.messages.map((m) => m.id);
    default:
      return [];
  }
}
