import type { Database } from "./database.ts";
import { deleteSession } from "./log.ts";

/** Removes sessions that were not touched for `days` days. Call it in a transaction. */
export function deleteOld(db: Database, days: number, now: Date): void {
  const before = new Date(now.getTime() - days * DAY_MS).toISOString();
  const old = db.all("SELECT id FROM sessions WHERE updated_at < ?", before);
  for (const { id } of old) deleteSession(db, String(id));
}

const DAY_MS = 24 * 60 * 60 * 1000;
