import { randomHex } from "./id.ts";
import { Queue } from "./queue.ts";
import { weigh } from "./weigh.ts";

/** How much a ring holds besides its first item; whichever bound is reached counts. */
export interface Bounds {
  /** Items at most. */
  readonly events: number;
  /** Bytes at most. */
  readonly bytes: number;
}

/** An item and its position. */
export interface Placed<T> {
  /** 1, 2, 3 … in the order of `push`. */
  readonly position: number;
  readonly item: T;
}

/** A part of a ring, in order. */
export interface Slice<T> {
  /** Tells one ring from another: positions of another epoch mean nothing. */
  readonly epoch: string;
  readonly items: readonly Placed<T>[];
  /** Items that last are missing between `since` and these. */
  readonly truncated: boolean;
  /** The position of the newest item pushed: the next `since`. */
  readonly last: number;
}

/** How a ring differs from the usual one. */
export interface RingOptions<T> {
  /** The bytes of an item. Default: about as many as its JSON has. */
  readonly weigh?: (item: T) => number;
  /** Hears of each lasting item that is dropped, oldest first. */
  readonly dropped?: (item: T) => void;
  /** Default: random. */
  readonly epoch?: string;
}

/**
 * Keeps the first item and the newest ones, within bounds. Passing items make
 * room before all others, then the oldest go. A push costs the same however
 * many there were before.
 */
export class Ring<T> {
  /** Random; a position is only good together with it. */
  readonly epoch: string;
  readonly #bounds: Bounds;
  readonly #weigh: (item: T) => number;
  readonly #dropped: (item: T) => void;
  readonly #lasting = new Queue<Held<T>>();
  readonly #passing = new Queue<Held<T>>();
  #first: Placed<T> | undefined;
  #last = 0;
  #bytes = 0;
  #gone = 0; // position of the newest lasting item that was dropped

  constructor(bounds: Bounds, options: RingOptions<T> = {}) {
    this.#bounds = bounds;
    this.#weigh = options.weigh ?? weigh;
    this.#dropped = options.dropped ?? (() => {});
    this.epoch = options.epoch ?? randomHex(16);
  }

  /** Items held besides the first one. */
  get size(): number {
    return this.#lasting.size + this.#passing.size;
  }

  /** What they weigh. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The position of the newest item pushed; 0 when there is none. */
  get last(): number {
    return this.#last;
  }

  /** Lasting items have been dropped; once true it stays so. */
  get truncated(): boolean {
    return this.#gone > 0;
  }

  /** Adds an item, drops what is then past the bounds, and gives its position. */
  push(item: T, passing = false): number {
    const position = ++this.#last;
    if (!this.#first) {
      this.#first = { position, item };
      return position;
    }
    const bytes = this.#weigh(item);
    this.#bytes += bytes;
    (passing ? this.#passing : this.#lasting).push({ position, item, bytes });
    while (
      this.size > this.#bounds.events || this.#bytes > this.#bounds.bytes
    ) {
      this.#drop();
    }
    return position;
  }

  /** Gives out a position that no item stands at: for what is told once and not kept. */
  skip(): number {
    return ++this.#last;
  }

  /** What came after the position `since`; everything with 0. */
  slice(since = 0): Slice<T> {
    const items = [...merged(this.#lasting, this.#passing, since)];
    if (this.#first && since < this.#first.position) items.unshift(this.#first);
    const truncated = this.#gone > since;
    return { epoch: this.epoch, items, truncated, last: this.#last };
  }

  #drop(): void {
    const passing = this.#passing.shift();
    const oldest = passing ?? this.#lasting.shift();
    if (!oldest) return;
    this.#bytes -= oldest.bytes;
    if (passing) return;
    this.#gone = oldest.position;
    this.#dropped(oldest.item);
  }
}

interface Held<T> extends Placed<T> {
  readonly bytes: number;
}

function* merged<T>(
  a: Queue<Held<T>>,
  b: Queue<Held<T>>,
  since: number,
): Generator<Placed<T>> {
  let [i, j] = [indexAfter(a, since), indexAfter(b, since)];
  for (;;) {
    const [x, y] = [a.at(i), b.at(j)];
    const next = x && (!y || x.position < y.position) ? x : y;
    if (!next) return;
    if (next === x) i++;
    else j++;
    yield { position: next.position, item: next.item };
  }
}

// By halves: a reader that is nearly up to date asks often.
function indexAfter<T>(queue: Queue<Held<T>>, since: number): number {
  let [low, high] = [0, queue.size];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((queue.at(middle)?.position ?? 0) > since) high = middle;
    else low = middle + 1;
  }
  return low;
}
