import type { ApprovalRequest } from "../../../../core/approval.ts";
import type { Update } from "../../../../core/event.ts";
import { isDurable } from "../../../../core/event.ts";
import { empty, fold, type SessionState } from "../../../../core/fold.ts";
import { Passing } from "../../../../core/passing.ts";
import { type Bounds, Ring } from "../../../../core/ring.ts";
import type {
  EventMessage,
  Placed,
  ServerMessage,
  SessionInfo,
} from "../../../../facades/remote/wire.ts";

/** The smallest server there can be: a ring, and what the wire says of it. */
export class ModelRecord {
  readonly session: string;
  readonly #bounds: Bounds;
  #ring: Ring<Update>;
  #passing = new Passing();
  #running = false;
  #approvals: ApprovalRequest[] = [];
  state: SessionState = empty();

  constructor(session: string, bounds: Bounds) {
    this.session = session;
    this.#bounds = bounds;
    this.#ring = new Ring(bounds);
  }

  get epoch(): string {
    return this.#ring.epoch;
  }

  get truncated(): boolean {
    return this.#ring.truncated;
  }

  /** The events a new client would get. */
  get kept(): readonly Update[] {
    return this.#ring.slice().items.map(({ item }) => item);
  }

  get running(): boolean {
    return this.#running;
  }

  get approvals(): readonly ApprovalRequest[] {
    return this.#approvals;
  }

  push(update: Update): EventMessage {
    this.#passing.hear(update);
    if (update.type === "running") this.#running = update.running;
    if (update.type === "running" && !update.running) this.#approvals = [];
    if (update.type === "approval_asked") this.#approvals.push(update.request);
    if (update.type === "approval_settled") {
      this.#approvals = this.#approvals.filter((a) =>
        a.id !== update.requestId
      );
    }
    if (isDurable(update)) this.state = fold(this.state, update);
    const lasting = isDurable(update) || update.type === "approval_settled";
    const seq = lasting ? this.#ring.push(update) : this.#ring.skip();
    return { type: "event", session: this.session, seq, event: update };
  }

  /** The server was started anew: its positions mean nothing any more. */
  restart(): void {
    this.#ring = new Ring(this.#bounds);
    this.#running = false;
    this.#approvals = [];
    this.#passing = new Passing();
    const { seq, createdAt: at, cwd, model, messages } = this.state;
    if (seq === 0) return;
    this.#ring.push({ type: "opened", seq: 1, at, cwd, model });
    for (const message of messages) {
      const { seq, at } = message;
      this.#ring.push({ type: "message", seq, at, message });
    }
  }

  /** What an attach is answered with, `size` events a slice. */
  attach(
    ask: { since?: number | undefined; epoch?: string | undefined },
    size: number,
  ): ServerMessage[] {
    const { last } = this.#ring;
    const { since = 0 } = ask;
    const known = ask.epoch === this.epoch && since <= last &&
      !this.#ring.slice(since).truncated;
    const from = known ? since : 0;
    const placed: Placed[] = [
      ...this.#ring.slice(from).items.map(({ position, item }) => ({
        seq: position,
        event: item,
      })),
      ...[...this.#passing.updates()].map((event) => ({ seq: last, event })),
    ];
    const slices: Placed[][] = [];
    for (let i = 0; i < placed.length || i === 0; i += size) {
      slices.push(placed.slice(i, i + size));
    }
    return slices.map((events, seq) => ({
      type: "structured_replay",
      session: this.session,
      epoch: this.epoch,
      seq,
      last: seq === slices.length - 1,
      ...(known && { since }),
      truncated: this.truncated,
      events,
      state: this.info,
    }));
  }

  get info(): SessionInfo {
    const { messages: _m, errors, truncated: _t, ...state } = this.state;
    return {
      ...state,
      recordSeq: this.#ring.last,
      running: this.#running,
      waiting: 0,
      mode: "ask",
      errors: errors.length,
      approvals: this.#approvals,
      presence: 1,
    };
  }
}
