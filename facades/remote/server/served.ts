import { Buffer } from "node:buffer";
import type { Decision } from "../../../core/approval.ts";
import { errorLine } from "../../../core/error.ts";
import type { Live, Update } from "../../../core/event.ts";
import type { Content } from "../../../core/message.ts";
import type { Bounds } from "../../../core/ring.ts";
import type { Session } from "../../../core/session.ts";
import { cut, frames } from "./frames.ts";
import { sessionInfo } from "./info.ts";
import { type PlacedJson, ReplayRecord } from "./record.ts";
import { slices } from "./slices.ts";
import type { ServerMessage, SessionInfo } from "../wire.ts";

/** A client, as far as a session knows it. */
export interface Watcher {
  /** Sends the frames of a message after all that were sent before. */
  send(frames: readonly Buffer[]): void;
  /** The same for many frames, made when there is room for them. */
  stream(frames: Iterable<Buffer>): void;
}

/** What a served session is told. */
export interface ServedInit {
  readonly session: Session;
  readonly replay: Bounds;
  /** It goes on under another id. */
  readonly moved: (from: string, to: string) => void;
  /** A turn ended, or the last client left. */
  readonly quiet: () => void;
}

/** A session, and all the clients that watch it. */
export class Served {
  readonly session: Session;
  /** The id it had at first; it may go on under another. */
  readonly began: string;
  readonly #init: ServedInit;
  readonly #record: ReplayRecord;
  readonly #watchers = new Set<Watcher>();
  readonly #former = new Set<string>(); // ids it went on from
  readonly #expected = new Map<string, (position: number) => void>();
  readonly #stop: () => void;
  #settings: string;
  /** Its conversation was removed, and nobody began another one here. */
  removed = false;

  constructor(init: ServedInit) {
    const { session, replay } = init;
    this.session = session;
    this.began = session.id;
    this.#init = init;
    this.#record = new ReplayRecord(replay, session.state);
    for (const request of session.approvals) {
      this.#record.add({ type: "approval_asked", request });
    }
    this.#settings = this.#setting();
    // Questions wait even while nobody looks: a phone may be away for a moment.
    this.#stop = session.subscribe((u) => this.#hear(u), { approves: true });
  }

  get watched(): boolean {
    return this.#watchers.size > 0;
  }

  /** Of its record. */
  get epoch(): string {
    return this.#record.epoch;
  }

  /** Whether it went on from `id`, which is another process's by now, and is still there. */
  wentOnFrom(id: string): boolean {
    return this.#former.has(id) && !this.removed;
  }

  /** What is true of the session besides its messages. */
  get info(): SessionInfo {
    return sessionInfo(this.session, {
      recordSeq: this.#record.last,
      presence: this.#watchers.size,
    });
  }

  /** Tells a client the record, or what came after `since`, and from now on what happens. */
  attach(
    watcher: Watcher,
    known: { readonly since?: number; readonly epoch?: string } = {},
  ): void {
    const fresh = !this.#watchers.has(watcher);
    this.#watchers.add(watcher);
    this.#replay(watcher, known);
    if (fresh) this.#tellPresence();
  }

  detach(watcher: Watcher): void {
    if (!this.#watchers.delete(watcher)) return;
    this.#tellPresence();
    this.#init.quiet();
  }

  /** Where the record has the message `id`; undefined when it has none of that name. */
  position(id: string): number | undefined {
    return this.#record.position(id);
  }

  /**
   * Asks, or says it to the running turn. Resolves to the position of the
   * message once the record has it, to undefined when it was cancelled first.
   */
  async say(
    how: "prompt" | "steer",
    content: Content,
    id: string,
  ): Promise<number | undefined> {
    const known = this.position(id);
    if (known !== undefined) return known; // sent again: it is there
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#expected.set(id, resolve);
    const over = how === "prompt"
      ? this.session.prompt(content, undefined, id)
      : this.session.steer(content, id);
    if (this.session.running) this.syncSettings(); // it waits
    over.catch((error) => {
      if (this.#expected.has(id)) return; // whoever asked is told
      const text = errorLine(error);
      this.session.show({ type: "notice", level: "warning", text });
    });
    try {
      return await Promise.race([promise, over.then(() => undefined)]) ??
        this.position(id);
    } finally {
      this.#expected.delete(id);
    }
  }

  /** Answers an approval; false when somebody else did, or it is over. */
  approve(request: string, decision: Decision): boolean {
    return this.session.decide(request, decision);
  }

  /** Tells all clients what no event says, if it changed. */
  syncSettings(): void {
    const setting = this.#setting();
    if (setting === this.#settings) return;
    this.#settings = setting;
    this.tellState();
  }

  /** Tells all clients how the session stands. */
  tellState(): void {
    const { id } = this.session;
    this.#tell({ type: "state", session: id, state: this.info });
  }

  /** Tells all clients that its conversation was removed, and listens no more. */
  abandon(): void {
    this.removed = true;
    this.#tell({ type: "gone", session: this.session.id });
    this.close();
  }

  /** Listens no more. */
  close(): void {
    this.#stop();
  }

  #hear(update: Update): void {
    switch (update.type) {
      case "moved":
        return this.#move(update);
      case "rotated":
        return this.#beginAnew(update);
      case "message":
        this.removed = false;
    }
    const placed = this.#record.add(update);
    if (placed) this.#broadcast(placed);
    if (placed && update.type === "message") {
      this.#expected.get(update.message.id)?.(placed.seq);
    }
    if (update.type !== "running") return;
    this.syncSettings();
    if (!update.running) this.#init.quiet();
  }

  #move({ from, to }: Live & { readonly type: "moved" }): void {
    this.#former.add(from);
    this.#init.moved(from, to);
    this.#tell({ type: "moved", session: from, to });
    this.#replayToAll();
  }

  #beginAnew({ archived: to }: Live & { readonly type: "rotated" }): void {
    const { id: session } = this.session;
    this.removed = to === undefined && !this.#record.empty;
    if (to !== undefined) this.#tell({ type: "gone", session, to });
    else if (this.removed) this.#tell({ type: "gone", session });
    this.#record.reset(this.session.state);
    this.#replayToAll();
  }

  #replayToAll(): void {
    for (const watcher of this.#watchers) this.#replay(watcher);
  }

  #replay(
    watcher: Watcher,
    known: { readonly since?: number; readonly epoch?: string } = {},
  ): void {
    watcher.stream(slices({
      session: this.session.id,
      excerpt: this.#record.excerpt(known.since, known.epoch),
      passing: [...this.#passing()],
      state: this.info,
    }));
  }

  *#passing(): Generator<Live> {
    yield* this.session.passing();
    for (const request of this.session.approvals) {
      yield { type: "approval_asked", request };
    }
  }

  #broadcast({ seq, json }: PlacedJson): void {
    if (this.#watchers.size === 0) return;
    const session = JSON.stringify(this.session.id);
    const frame =
      `{"type":"event","session":${session},"seq":${seq},"event":${json}}`;
    this.#send(cut(Buffer.from(frame)));
  }

  #tell(message: ServerMessage): void {
    if (this.#watchers.size > 0) this.#send(frames(message));
  }

  #send(all: readonly Buffer[]): void {
    for (const watcher of this.#watchers) watcher.send(all);
  }

  #tellPresence(): void {
    const { id } = this.session;
    this.#tell({ type: "presence", session: id, count: this.#watchers.size });
  }

  #setting(): string {
    const { settings, waiting } = this.session;
    const { name, contextWindow } = settings.model;
    return JSON.stringify([name, contextWindow, settings.mode, waiting]);
  }
}
