import { newId, newMessageId } from "../../../core/id.ts";
import type { Content } from "../../../core/message.ts";
import type {
  Ack,
  ClientMessage,
  Hello,
  Refusal,
  ServerMessage,
} from "../wire.ts";
import { Attaching } from "./attaching.ts";
import { Connection, type ConnectionInit } from "./connection.ts";
import { Listeners } from "./listeners.ts";
import { type Change, type Copy, Mirror } from "./mirror.ts";
import { Outgoing } from "./outgoing.ts";
import type { Sent } from "./pending_list.ts";
import { RefusalError } from "./refusal_error.ts";
import type { ConnectionState, RemoteClientApi, View } from "./view.ts";

/** What a client starts with. */
export interface RemoteClientInit
  extends Omit<ConnectionInit, "heard" | "changed"> {
  /** A session as it was known here before: shown at once, and attached to. */
  readonly copy?: Copy;
  /** What was sent in an earlier life of the client and never confirmed; it is sent again. */
  readonly pending?: readonly Sent[];
  /** Hears all that changes the view by itself, as it comes: the first to `listen`. */
  readonly happened?: (change: Change) => void;
}

/** The client core: a connection, a copy of one session, and what is on its way. */
export class RemoteClient implements RemoteClientApi {
  readonly #connection: Connection;
  readonly #outgoing: Outgoing;
  readonly #hearers = new Set<(change: Change) => void>();
  readonly #listeners = new Listeners();
  #mirror: Mirror | undefined;
  #view: View | undefined;
  #attaching: Attaching | undefined;
  #fresh: string | undefined; // our own session, which the server may not have stored
  #closed = false;

  constructor(init: RemoteClientInit) {
    if (init.happened) this.#hearers.add(init.happened);
    this.#outgoing = new Outgoing(init.pending, () => {
      this.#flush();
      this.#changed();
    });
    if (init.copy) {
      this.#mirror = this.#makeMirror(init.copy);
      if (init.copy.state.seq === 0) this.#fresh = init.copy.session;
    }
    this.#connection = new Connection({
      ...init,
      heard: (message) => this.#heard(message),
      changed: (state) => this.#connected(state),
    });
  }

  get connection(): ConnectionState {
    return this.#connection?.state ?? "connecting";
  }

  get hello(): Hello | undefined {
    return this.#connection.hello;
  }

  /** Why the server cannot be reached, or refuses; undefined when nobody said. */
  get problem(): string | undefined {
    return this.#connection?.problem;
  }

  get view(): View | undefined {
    if (!this.#mirror) return undefined;
    const { view } = this.#mirror;
    const pending = this.#outgoing.pendingIn(view.session);
    return this.#view ??= { ...view, pending };
  }

  /** What is worth keeping of the session that is shown: the `copy` of the next client. */
  get copy(): Copy | undefined {
    return this.#mirror?.copy;
  }

  /** What is on its way, of every session: the `pending` of the next client. */
  get pending(): readonly Sent[] {
    return this.#outgoing.pending;
  }

  subscribe(changed: () => void): () => void {
    return this.#listeners.subscribe(changed);
  }

  /** Hears all that changes the view by itself, before `subscribe` tells that something did. */
  listen(happened: (change: Change) => void): () => void {
    this.#hearers.add(happened);
    return () => this.#hearers.delete(happened);
  }

  /** Resolves once the replay is whole. Throws a RefusalError; then what was shown before is shown again. */
  attach(session: string): Promise<void> {
    const known = this.#mirror?.view;
    if (known?.session !== session) return this.#show(session);
    if (known.info) return Promise.resolve();
    return this.#attaching?.whole ?? this.#show(session);
  }

  async create(session: string = newId()): Promise<string> {
    this.#fresh = session;
    await this.#show(session);
    return session;
  }

  async say(content: Content): Promise<void> {
    const { view } = this;
    if (!view) throw new TypeError("Cannot say anything: no session is shown");
    const { session, running } = view;
    const type = running ? "steer" : "prompt";
    const sent = { session, id: newMessageId(), type, content } as const;
    await this.#outgoing.say(sent, true);
  }

  /** Says it in the way it tells. Resolves when the record has it, or never will: then without `seq`. */
  ask(sent: Sent): Promise<Ack> {
    return this.#outgoing.say(sent, false);
  }

  async again(id: string): Promise<void> {
    await this.#outgoing.again(id);
  }

  forget(id: string): void {
    this.#outgoing.forget(id);
  }

  send<T extends ClientMessage["type"]>(
    message: Omit<Extract<ClientMessage, { type: T }>, "id">,
  ): Promise<Ack> {
    const id = newMessageId();
    return this.#outgoing.send({ ...message, id } as ClientMessage);
  }

  wake(): void {
    this.#connection.wake();
  }

  close(why = "Cannot go on: the connection was closed"): void {
    this.#closed = true;
    this.#connection.close();
    this.#end(why);
  }

  #show(session: string): Promise<void> {
    this.#attaching?.reject(
      new RefusalError("closed", "Cannot attach: another session was chosen"),
    );
    const asked = new Attaching(this.#attaching?.before ?? this.#mirror);
    this.#attaching = asked;
    this.#mirror = this.#makeMirror({ session });
    this.#attach();
    this.#changed();
    if (this.#closed || this.connection === "refused") {
      this.#end(this.#refused());
    }
    return asked.whole;
  }

  #makeMirror(from: { readonly session: string } & Partial<Copy>): Mirror {
    const mirror = new Mirror(from, (change) => {
      if (mirror === this.#mirror) this.#applied(change);
    });
    return mirror;
  }

  /** Asks for the session that is shown, or for what is missing of it. */
  #attach(): void {
    const mirror = this.#mirror;
    if (!mirror || this.connection !== "online") return;
    const { session, gone } = mirror.view;
    if (gone) return this.#flush();
    const id = newMessageId();
    mirror.asked();
    this.#attaching ??= new Attaching(mirror);
    this.#attaching.id = id;
    // Nothing may be stored of it yet: the server is told of it again.
    this.#connection.send(
      session === this.#fresh
        ? { id, type: "new", session }
        : { id, type: "attach", session, ...mirror.position },
    );
  }

  #heard(message: ServerMessage): void {
    if (message.type === "ack" || message.type === "error") {
      this.#answered(message);
    } else if (message.type === "moved") {
      this.#moved(message.session, message.to);
    } else {
      if (message.type === "gone") this.#left(message.session);
      if (this.#mirror?.receive(message)) this.#attach();
    }
    this.#changed();
  }

  #answered(message: Ack | Refusal): void {
    const asked = this.#attaching;
    if (asked && message.id === asked.id && message.type === "error") {
      return this.#denied(asked, message);
    }
    this.#outgoing.answer(message, (session, seq) => {
      const { view, position } = this.#mirror ?? {};
      return view?.session === session && seq > (position?.since ?? 0);
    });
    this.#flush(); // what waited for it
  }

  // What was shown is shown on: a session that is gone can still be read.
  #denied(asked: Attaching, { code, message }: Refusal): void {
    if (code === "too_many") return this.#connection.again();
    this.#attaching = undefined;
    asked.reject(new RefusalError(code, message));
    if (asked.before === this.#mirror) {
      if (code === "no_session") this.#mirror?.end(message);
      else this.#mirror?.fail(message);
    } else if ((this.#mirror = asked.before)) return this.#attach();
    this.#flush();
  }

  #moved(from: string, to: string): void {
    this.#outgoing.rename(from, to);
    if (this.#mirror?.view.session !== from) return;
    if (this.#fresh === from) this.#fresh = undefined;
    this.#mirror.rename(to);
  }

  // It is not told of again: that would begin a conversation of that name.
  #left(session: string): void {
    if (this.#fresh === session) this.#fresh = undefined;
  }

  #applied(change: Change): void {
    this.#outgoing.recorded(change.updates);
    this.#view = undefined;
    if (this.#mirror && this.#mirror.view.state.seq > 0) {
      this.#fresh = undefined;
    }
    for (const hear of this.#hearers) hear(change);
    if (change.live) return;
    this.#outgoing.replayed();
    const attached = this.#attaching;
    this.#attaching = undefined;
    attached?.resolve();
    this.#flush();
  }

  #connected(state: ConnectionState): void {
    if (state === "online") {
      // Hello is heard first, and what was asked comes before what was sent.
      queueMicrotask(() => {
        if (this.#mirror) this.#attach();
        else this.#flush();
      });
    } else {
      this.#outgoing.lost();
      this.#mirror?.lost();
      if (state === "refused") this.#end(this.#refused());
    }
    this.#changed();
  }

  #refused(): string {
    return `Cannot connect: ${this.problem ?? "the server refuses this token"}`;
  }

  #end(message: string): void {
    this.#outgoing.close(message);
    this.#attaching?.reject(new RefusalError("closed", message));
    this.#attaching = undefined;
  }

  // While a replay is under way nothing is sent: it may show that it was done.
  #flush(): void {
    if (!this.#connection || this.#attaching) return;
    this.#outgoing.flush(
      (message) => this.#connection.send(message),
      this.#mirror?.view,
    );
  }

  #changed(): void {
    this.#view = undefined;
    this.#listeners.tell();
  }
}
