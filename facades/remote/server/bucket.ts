/** How much may be taken. */
export interface BucketInit {
  /** At once. */
  readonly size: number;
  /** In the long run. */
  readonly perSecond: number;
}

/** Lets a burst pass, and then no more than so much a second. */
export class Bucket {
  readonly #init: BucketInit;
  readonly #now: () => number;
  #left: number;
  #at: number;

  /** `now` in milliseconds; default: the time since the program began. */
  constructor(init: BucketInit, now = () => performance.now()) {
    this.#init = init;
    this.#now = now;
    this.#left = init.size;
    this.#at = now();
  }

  /** Nothing is left. */
  get empty(): boolean {
    this.#fill();
    return this.#left < 1;
  }

  /** Nothing was taken for so long that it is as at the beginning. */
  get full(): boolean {
    this.#fill();
    return this.#left >= this.#init.size;
  }

  /** Takes one; false when nothing is left. */
  take(): boolean {
    if (this.empty) return false;
    this.#left--;
    return true;
  }

  #fill(): void {
    const { size, perSecond } = this.#init;
    const now = this.#now();
    const more = (now - this.#at) / 1000 * perSecond;
    this.#left = Math.min(size, this.#left + more);
    this.#at = now;
  }
}
