import type { Database } from "./database.ts";

/** The sessions that were last touched before a time. */
export function untouchedSince(db: Database, time: string): readonly string[] {
  return db.all("SELECT id FROM sessions WHERE updated_at < ?", time)
    .map(({ id }) => String(id));
}

/** The time of which what was last touched before it is older than `days` days. */
export function oldBefore(days: number, now: Date): string {
  return new Date(now.getTime() - days * DAY_MS).toISOString();
}

const DAY_MS = 24 * 60 * 60 * 1000;
