import { isDurable, type Update } from "../../../core/event.ts";
import type { StoredFailure } from "../../../core/fold.ts";
import type { TurnEnd } from "../../../core/turn.ts";

/** Hears when the turn of one message, on a server, is over. */
export class TurnWatch {
  /** Resolves to how it ended. */
  readonly end: Promise<TurnEnd>;
  /** Of the message it waits for. */
  readonly id: string;
  /** Nobody will tell how it ends. */
  readonly fail: (error: Error) => void;
  readonly #resolve: (end: TurnEnd) => void;
  #begun = false;
  #last: TurnEnd = CANCELLED;

  constructor(id: string) {
    const { promise, resolve, reject } = Promise.withResolvers<TurnEnd>();
    promise.catch(() => {}); // whoever waits for it has it too
    this.end = promise;
    this.fail = reject;
    this.#resolve = resolve;
    this.id = id;
  }

  /** Takes note of what happens in the session. */
  hear(update: Update): void {
    if (update.type === "message" && update.message.id === this.id) {
      this.#begun = true;
    }
    if (!this.#begun) return;
    this.#last = endOf(this.#last, update);
    if (update.type === "running" && !update.running) this.#resolve(this.#last);
  }

  /** The record has the message. */
  begun(): void {
    this.#begun = true;
  }

  /** No turn runs: what began has ended. */
  over(): void {
    if (this.#begun) this.#resolve(this.#last);
  }

  /** The message came into no record, or nobody waits any more. */
  cancel(): void {
    this.#resolve(CANCELLED);
  }
}

const CANCELLED: TurnEnd = { status: "cancelled", reason: "cancelled" };

function endOf(last: TurnEnd, update: Update): TurnEnd {
  if (!isDurable(update)) return last;
  switch (update.type) {
    case "withdrawn":
      return CANCELLED; // a failure says so in the event that follows
    case "failed": {
      const failure: StoredFailure = update;
      return { status: "failed", reason: "failed", failure };
    }
    case "settled":
      return ended(update.reason);
    default:
      return last;
  }
}

function ended(reason: TurnEnd["reason"]): TurnEnd {
  switch (reason) {
    case "cancelled":
      return CANCELLED;
    case "failed":
    case "interrupted":
    case "max_turn_requests":
      return { status: "failed", reason };
    default:
      return { status: "done", reason };
  }
}
