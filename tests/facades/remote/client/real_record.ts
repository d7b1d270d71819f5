import type { ApprovalRequest } from "../../../../core/approval.ts";
import { isDurable, type Update } from "../../../../core/event.ts";
import { empty, fold, type SessionState } from "../../../../core/fold.ts";
import { Passing } from "../../../../core/passing.ts";
import type { Bounds } from "../../../../core/ring.ts";
import type { Position } from "../../../../facades/remote/client/mirror.ts";
import { cut } from "../../../../facades/remote/server/frames.ts";
import {
  placedJson,
  ReplayRecord,
} from "../../../../facades/remote/server/record.ts";
import { slices } from "../../../../facades/remote/server/slices.ts";
import type { SessionInfo } from "../../../../facades/remote/wire.ts";
import type { TestRecord } from "./model_record.ts";

/** The record, the slices and the frames of the real server, without its sockets. */
export class RealRecord implements TestRecord {
  readonly #session: string;
  readonly #record: ReplayRecord;
  #passing = new Passing();
  running = false;
  approvals: ApprovalRequest[] = [];
  state: SessionState = empty();

  constructor(session: string, bounds: Bounds) {
    this.#session = session;
    this.#record = new ReplayRecord(bounds, this.state);
  }

  get from(): number {
    const kept = this.#record.excerpt().events
      .map((json) => JSON.parse(json.toString()).event as Update);
    // The first is pinned; a failure that is told anew stands at the end.
    const inPlace = kept.filter(isDurable).filter((e) => e.type !== "failed");
    return inPlace[1]?.seq ?? Infinity;
  }

  get truncated(): boolean {
    return this.#record.excerpt().truncated;
  }

  push(update: Update): string[] {
    this.#passing.hear(update);
    if (update.type === "running") this.running = update.running;
    if (update.type === "running" && !update.running) this.approvals = [];
    if (update.type === "approval_asked") this.approvals.push(update.request);
    if (update.type === "approval_settled") {
      this.approvals = this.approvals.filter((a) => a.id !== update.requestId);
    }
    if (isDurable(update)) this.state = fold(this.state, update);
    const placed = this.#record.add(update);
    if (!placed) return [];
    const head = `{"type":"event","session":${JSON.stringify(this.#session)}`;
    const frame = `${head},${placedJson(placed).slice(1)}`;
    return cut(Buffer.from(frame)).map(String);
  }

  restart(): void {
    this.running = false;
    this.approvals = [];
    this.#passing = new Passing();
    this.#record.reset(this.state);
  }

  attach({ since, epoch }: Partial<Position>): string[] {
    const passing = [
      ...this.#passing.updates(),
      ...this.approvals.map((request) =>
        ({ type: "approval_asked", request }) as const
      ),
    ];
    return [
      ...slices({
        session: this.#session,
        excerpt: this.#record.excerpt(since, epoch),
        passing,
        state: this.#info,
      }),
    ].map(String);
  }

  get #info(): SessionInfo {
    const { messages: _m, errors, truncated: _t, ...state } = this.state;
    return {
      ...state,
      recordSeq: this.#record.last,
      running: this.running,
      waiting: 0,
      mode: "ask",
      errors: errors.length,
      approvals: this.approvals,
      presence: 1,
    };
  }
}
