import { Buffer } from "node:buffer";
import type { Update } from "../../../core/event.ts";
import type { SessionState } from "../../../core/fold.ts";
import { type Bounds, Ring } from "../../../core/ring.ts";
import type { Placed } from "../wire.ts";
import { tooLong } from "./too_long.ts";
import { lasts, wireEvent, wireMessage } from "./wire_event.ts";

/** An update at its position, as JSON. */
export interface PlacedJson {
  readonly seq: number;
  readonly json: string;
}

/** What a client is to be told of a record. */
export interface Excerpt {
  readonly epoch: string;
  /** Set when only what came after it is there. */
  readonly since?: number;
  /** Older events are missing from the record. */
  readonly truncated: boolean;
  /** `Placed` as JSON, in order. */
  readonly events: readonly Buffer[];
  /** The newest position. */
  readonly last: number;
}

/**
 * The record of one session as clients get it: every update has its position,
 * and those that last are kept as the bytes that are sent, within bounds.
 */
export class ReplayRecord {
  readonly #bounds: Bounds;
  readonly #asked = new Map<string, number>(); // open approvals: where they were asked
  readonly #said = new Map<string, number>(); // where each user message stands
  #older = false; // what there was before is known to be missing
  #ring: Ring<Buffer>;

  /** Rebuilt from what is known of the session. */
  constructor(bounds: Bounds, state: SessionState) {
    this.#bounds = bounds;
    this.#ring = this.#restart(state);
  }

  /** Tells this record from others, and from what it was before it began anew. */
  get epoch(): string {
    return this.#ring.epoch;
  }

  /** The position of the newest update. */
  get last(): number {
    return this.#ring.last;
  }

  /** Nothing is in it. */
  get empty(): boolean {
    return this.#ring.slice().items.length === 0;
  }

  /** Where the user message `id` stands; undefined when it came to no record. */
  position(id: string): number | undefined {
    return this.#said.get(id);
  }

  /** Gives an update its position; undefined when it is none for clients. */
  add(update: Update): PlacedJson | undefined {
    const event = wireEvent(update);
    if (!event) return undefined;
    const json = this.#json(event);
    if (!lasts(event)) return { seq: this.#ring.skip(), json };
    const seq = this.#push(json);
    this.#note(event, seq);
    return { seq, json };
  }

  /** Forgets all and begins a new epoch. */
  reset(state: SessionState): void {
    this.#ring = this.#restart(state);
  }

  /** All of it, or what came after `since` when that is of this epoch and nothing is missing in between. */
  excerpt(since?: number, epoch?: string): Excerpt {
    const { last } = this.#ring;
    const known = epoch === this.#ring.epoch && since !== undefined &&
      since > 0 && since <= last;
    const part = known ? this.#ring.slice(since) : undefined;
    const fits = part && !part.truncated;
    const { epoch: own, items } = fits ? part : this.#ring.slice();
    const open = new Set(this.#asked.values()); // told at the end, with what is passing
    const told = open.size > 0
      ? items.filter((i) => !open.has(i.position))
      : items;
    return {
      epoch: own,
      ...(fits && since !== undefined && { since }),
      truncated: this.#ring.truncated || this.#older,
      events: told.map((i) => i.item),
      last,
    };
  }

  #restart(state: SessionState): Ring<Buffer> {
    this.#asked.clear();
    this.#said.clear();
    this.#older = state.truncated;
    this.#ring = new Ring(this.#bounds, { weigh: (item) => item.length });
    for (const event of events(state)) {
      this.#note(event, this.#push(this.#json(event)));
    }
    return this.#ring;
  }

  #json(event: Update): string {
    const json = JSON.stringify(event);
    if (event.type !== "message") return json;
    const room = this.#bounds.bytes - FRAMING;
    // A UTF-16 unit has three bytes at most: what is surely short is not counted.
    if (json.length * 3 <= room) return json;
    const bytes = Buffer.byteLength(json);
    if (bytes <= room) return json;
    return JSON.stringify({ ...event, message: tooLong(event.message, bytes) });
  }

  #push(json: string): number {
    const seq = this.#ring.last + 1;
    return this.#ring.push(Buffer.from(placedJson({ seq, json })));
  }

  #note(event: Update, seq: number): void {
    switch (event.type) {
      case "approval_asked":
        this.#asked.set(event.request.id, seq);
        return;
      case "approval_settled":
        this.#asked.delete(event.requestId);
        return;
      case "message":
        if (event.message.role !== "user") return;
        this.#said.set(event.message.id, seq);
    }
  }
}

/** What `placedJson` puts around an event, at most. */
const FRAMING = 50;

/** `Placed` as JSON. */
export function placedJson({ seq, json }: PlacedJson): string {
  return `{"seq":${seq},"event":${json}}`;
}

/** The events that fold to the messages of a state, and to its newest failure. */
function* events(state: SessionState): Generator<Placed["event"]> {
  const { seq, createdAt, cwd, model, messages } = state;
  if (seq === 0) return;
  yield { type: "opened", seq: 1, at: createdAt, cwd, model };
  for (const { seq, at, ...message } of messages) {
    const shown = wireMessage(message);
    if (shown) yield { type: "message", seq, at, message: shown };
  }
  // Of a question that no answer came to, it is all there is.
  const failure = state.errors.at(-1);
  if (failure) yield { type: "failed", seq, ...failure };
}
