import type { Database } from "./database.ts";

/** The version of SQLite. */
export function versionOf(db: Database): string {
  return String(db.get("SELECT sqlite_version() AS version")?.version);
}

/** What to know about a database when this SQLite has the race; undefined when it has not. */
export function raceNotice(db: Database): string | undefined {
  const version = versionOf(db);
  if (!hasWalRace(version)) return undefined;
  return `SQLite ${version} can lose writes to "${db.path}" when another program than mm writes there at the same time: let only mm write to it`;
}

/**
 * Whether this SQLite has the WAL-reset race: a checkpoint of one connection
 * and a commit of another at the same instant may lose the commit. It is in
 * 3.7.0 to 3.51.2, and mended in 3.44.6 and 3.50.7 too.
 */
export function hasWalRace(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  if (major !== 3 || minor < 7 || minor > 51) return false;
  if (minor === 51) return patch < 3;
  const mended = MENDED[minor];
  return mended === undefined || patch < mended;
}

const MENDED: Readonly<Record<number, number>> = { 44: 6, 50: 7 };
