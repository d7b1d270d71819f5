import type { Database } from "./database.ts";
import { deleteSession } from "./log.ts";

/** Removes sessions that were not touched for `days` days; tells how many. Call it in a transaction. */
export function deleteOld(db: Database, days: number, now: Date): number {
  const before = oldBefore(days, now);
  const old = db.all("SELECT id FROM sessions WHERE updated_at < ?", before);
  for (const { id } of old) deleteSession(db, String(id));
  return old.length;
}

/** The time of which what was last touched before it is older than `days` days. */
export function oldBefore(days: number, now: Date): string {
  return new Date(now.getTime() - days * DAY_MS).toISOString();
}

const DAY_MS = 24 * 60 * 60 * 1000;
