import { rmSync } from "node:fs";
import { UnreadableError, UserError } from "../../core/error.ts";
import { backup } from "./backup.ts";
import type { Database } from "./database.ts";
import { makePrivate } from "./place.ts";
import { hasLegacyMessages, migrateMessages } from "./legacy.ts";
import SCHEMA from "./schema.sql" with { type: "text" };
import { makeIndex } from "./text_index.ts";

/** What a migration may need to know. */
export interface MigrationHost {
  /** The folder that conversations without one are about. */
  readonly project: string;
  readonly now: () => Date;
}

// One each version, in order; each brings a database from the version before.
const MIGRATIONS: readonly ((db: Database, host: MigrationHost) => void)[] = [
  (db, host) => {
    db.script(SCHEMA);
    migrateMessages(db, host);
  },
  (db) => {
    db.script(INDEXES);
    makeIndex(db);
  },
];

// An index carries the row's id, so the first gives a session's events in
// order. Some databases of version 1 have it.
const INDEXES = `
  CREATE INDEX IF NOT EXISTS idx_events_session ON events (session_id);
  CREATE INDEX IF NOT EXISTS idx_sessions_newest ON sessions (updated_at, id);
`;

/** The schema this version writes; it opens no newer one. */
export const VERSION = MIGRATIONS.length;

/** Says whose a file is ("mm01"), where anybody looks. */
const APPLICATION = 0x6d6d3031;

/** Brings a database to our schema, from any older one; a backup first where there is something to lose. */
export function migrate(db: Database, host: MigrationHost): void {
  if (isCurrent(db)) return;
  const empty = tables(db).length === 0;
  if (empty) db.script("PRAGMA auto_vacuum = INCREMENTAL");
  const saved = empty ? undefined : backup(db, host.now());
  try {
    if (saved !== undefined) makePrivate(db.path);
    bringUp(db, host);
  } catch (error) {
    // Nothing was changed, and the next start makes another.
    if (saved !== undefined) rmSync(saved, { force: true });
    throw error;
  }
}

function bringUp(db: Database, host: MigrationHost): void {
  db.script("PRAGMA journal_mode = WAL");
  db.write(() => {
    if (isCurrent(db)) return; // another process was faster
    for (const step of MIGRATIONS.slice(versionOf(db))) step(db, host);
    db.script(`PRAGMA user_version = ${VERSION}`);
    db.script(`PRAGMA application_id = ${APPLICATION}`);
  });
}

function isCurrent(db: Database): boolean {
  const version = versionOf(db);
  if (version > VERSION) {
    throw new UserError(
      `Cannot open session database "${db.path}": it was written by a newer mm (schema ${version}, this one knows ${VERSION}): upgrade mm to open it`,
    );
  }
  return version === VERSION;
}

// A file of another program counts as version 0, if it is one we know.
function versionOf(db: Database): number {
  if (db.pragma("application_id") === APPLICATION) {
    const version = Number(db.pragma("user_version"));
    if (version > 0) return version;
    throw new UnreadableError(
      `Cannot open session database "${db.path}": its user_version ${version} is none that mm writes; mm doctor --repair saves what can be read`,
    );
  }
  const names = tables(db);
  if (names.length > 0 && !hasLegacyMessages(db)) {
    throw new UserError(
      `Cannot open session database "${db.path}": it belongs to another program (tables ${
        names.slice(0, 5).join(", ")
      }); name another database`,
    );
  }
  return 0;
}

function tables(db: Database): readonly string[] {
  return db.all(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  ).map(({ name }) => String(name));
}
