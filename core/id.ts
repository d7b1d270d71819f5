/** `YYYYMMDD-HHMMSS-xxxxxxxx`: creation time in UTC, then 8 random hex digits. */
const ID = /^\d{8}-\d{6}-[0-9a-f]{8}$/;

/** Tells whether `id` may name a session. */
export function isId(id: string): boolean {
  return ID.test(id);
}

/** Throws unless `id` may name a session; no other string reaches a store. */
export function assertId(id: string): void {
  if (!isId(id)) {
    throw new TypeError(
      `Cannot use ${
        JSON.stringify(id.slice(0, 80))
      } as a session id: expected YYYYMMDD-HHMMSS-xxxxxxxx`,
    );
  }
}

/** A fresh session id. It sorts by creation time; a time of no four-digit year counts as 1970. */
export function newId(now: Date = new Date(), random = randomHex): string {
  const year = now.getUTCFullYear(); // NaN when it is no time at all
  const told = year >= 0 && year <= 9999 ? now : new Date(0);
  const [date = "", time = ""] = told.toISOString().slice(0, 19).split("T");
  return `${date.replaceAll("-", "")}-${time.replaceAll(":", "")}-${random(8)}`;
}

/** A fresh id of a message. */
export function newMessageId(): string {
  return `m-${randomHex(12)}`;
}

/** `digits` random hex digits. */
export function randomHex(digits: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(Math.ceil(digits / 2)));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("")
    .slice(0, digits);
}
