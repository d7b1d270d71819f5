import type { ApprovalRequest } from "../../../../core/approval.ts";
import type { Update } from "../../../../core/event.ts";
import { isDurable } from "../../../../core/event.ts";
import { empty, fold, type SessionState } from "../../../../core/fold.ts";
import { Passing } from "../../../../core/passing.ts";
import { type Bounds, Ring } from "../../../../core/ring.ts";
import type { Position } from "../../../../facades/remote/client/mirror.ts";
import type { Placed, SessionInfo } from "../../../../facades/remote/wire.ts";

/** A server, as far as a copy of one session is concerned. */
export interface TestRecord {
  readonly state: SessionState;
  readonly running: boolean;
  readonly approvals: readonly ApprovalRequest[];
  /** `seq` of the oldest durable event, besides the opening one, that a new client would get. */
  readonly from: number;
  readonly truncated: boolean;
  /** Something happens: the frames that tell it. */
  push(update: Update): string[];
  /** The server was started anew: its positions mean nothing any more. */
  restart(): void;
  /** The frames that answer an attach. */
  attach(ask: Partial<Position>): string[];
}

/** The smallest server there can be: a ring, and what the wire says of it. */
export class ModelRecord implements TestRecord {
  readonly session: string;
  readonly #bounds: Bounds;
  readonly #size: number;
  #ring: Ring<Update>;
  #passing = new Passing();
  #running = false;
  #approvals: ApprovalRequest[] = [];
  state: SessionState = empty();

  /** `size` events a slice. */
  constructor(session: string, bounds: Bounds, size: number) {
    this.session = session;
    this.#size = size;
    this.#bounds = bounds;
    this.#ring = new Ring(bounds);
  }

  get epoch(): string {
    return this.#ring.epoch;
  }

  get truncated(): boolean {
    return this.#ring.truncated;
  }

  get from(): number {
    const kept = this.#ring.slice().items.map(({ item }) => item);
    return kept.filter(isDurable)[1]?.seq ?? Infinity; // the first is pinned
  }

  get running(): boolean {
    return this.#running;
  }

  get approvals(): readonly ApprovalRequest[] {
    return this.#approvals;
  }

  push(update: Update): string[] {
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
    const { session } = this;
    return [JSON.stringify({ type: "event", session, seq, event: update })];
  }

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

  attach(ask: Partial<Position>): string[] {
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
    for (let i = 0; i < placed.length || i === 0; i += this.#size) {
      slices.push(placed.slice(i, i + this.#size));
    }
    return slices.map((events, seq) =>
      JSON.stringify({
        type: "structured_replay",
        session: this.session,
        epoch: this.epoch,
        seq,
        last: seq === slices.length - 1,
        ...(known && { since }),
        truncated: this.truncated,
        events,
        state: this.info,
      })
    );
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
