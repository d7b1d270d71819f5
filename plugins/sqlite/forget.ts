import type { Database } from "./database.ts";

/**
 * Leaves no trace of what was deleted: not of its words in the full-text
 * index, not in pages that its rows were moved from, not in the log. Call it
 * outside a transaction.
 */
export function forget(db: Database): void {
  db.run("INSERT INTO message_text (message_text) VALUES ('optimize')");
  db.run("VACUUM");
  db.pragma("wal_checkpoint(TRUNCATE)");
}
