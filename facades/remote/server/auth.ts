import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { randomHex } from "../../../core/id.ts";
import { Bucket } from "./bucket.ts";
import { isLoopback } from "../../../core/loopback.ts";
import { isHere } from "./names.ts";

/**
 * Whether somebody may come in. `ticket`: in place of the token a ticket was
 * shown. `limited`: there were too many wrong tries to look.
 */
export type Verdict = "right" | "ticket" | "wrong" | "limited";

/** Knows the token, and how often others tried without it. */
export class Auth {
  readonly #digest: Uint8Array;
  readonly #now: (() => number) | undefined;
  readonly #tries = new Map<string, Bucket>();
  readonly #allTries: Bucket;
  readonly #welcome = new Set<string>();
  #ticket: Uint8Array | undefined;

  /** `now` in milliseconds; default: the system's. */
  constructor(token: string, now?: () => number) {
    this.#digest = digest(token);
    this.#now = now;
    this.#allTries = new Bucket(ALL_TRIES, now);
  }

  /**
   * What lets one client of this machine in, once, as the token would: for a
   * place where others may read it, but not before it was used.
   */
  ticket(): string {
    const ticket = randomHex(64);
    this.#ticket = digest(ticket);
    return ticket;
  }

  /**
   * Judges a token. Whoever guesses from afar is soon not looked at any more;
   * the right token from this machine always is.
   */
  check(token: string | undefined, address: string): Verdict {
    const near = isLoopback(address);
    const from = network(address);
    if (!near && this.#isLimited(from)) return "limited";
    // Digests are of one length and tell nothing of what they are of.
    const given = digest(token ?? "");
    if (token !== undefined && timingSafeEqual(given, this.#digest)) {
      this.#welcome.delete(from);
      this.#welcome.add(from);
      if (this.#welcome.size > MAX_KNOWN) this.#forgetOldest(this.#welcome);
      return "right";
    }
    const ticket = this.#ticket;
    if (ticket && timingSafeEqual(given, ticket) && isHere(address)) {
      this.#ticket = undefined;
      return "ticket";
    }
    const limited = this.#isLimited(from);
    this.#bucket(from).take();
    this.#allTries.take();
    return limited ? "limited" : "wrong";
  }

  // Where the right token came from, others' tries do not count.
  #isLimited(from: string): boolean {
    if (this.#tries.get(from)?.empty) return true;
    return this.#allTries.empty && !this.#welcome.has(from);
  }

  #bucket(from: string): Bucket {
    const known = this.#tries.get(from);
    if (known) return known;
    if (this.#tries.size >= MAX_KNOWN) this.#forgetFull();
    if (this.#tries.size >= MAX_KNOWN) this.#forgetOldest(this.#tries);
    const bucket = new Bucket(TRIES, this.#now);
    this.#tries.set(from, bucket);
    return bucket;
  }

  #forgetFull(): void {
    for (const [from, bucket] of this.#tries) {
      if (bucket.full) this.#tries.delete(from);
    }
  }

  #forgetOldest(known: Set<string> | Map<string, unknown>): void {
    for (const oldest of known.keys()) {
      known.delete(oldest);
      return;
    }
  }
}

/** Wrong tries of one address at once, and a second from then on. */
const TRIES = { size: 10, perSecond: 1 / 6 };

/** Those of all addresses together. */
const ALL_TRIES = { size: 300, perSecond: 5 };

/** Addresses that are remembered. */
const MAX_KNOWN = 10_000;

function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

// One household has one IPv6 network and may use any address in it.
function network(address: string): string {
  if (isIP(address) !== 6 || address.includes(".")) return address;
  const [head = "", tail = ""] = address.split("::");
  const groups = head.split(":").filter(Boolean);
  const missing = 8 - groups.length - tail.split(":").filter(Boolean).length;
  return [...groups, ...new Array(Math.max(0, missing)).fill("0")]
    .slice(0, 4).join(":");
}
