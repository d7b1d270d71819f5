import type { Finding } from "../../core/store.ts";
import type { Database } from "./database.ts";
import { problemsOf } from "./mend.ts";
import { sizeOf, WAL_BYTES } from "./open.ts";
import { raceNotice } from "./version.ts";

/** Whether the database is sound, and how long its log is. */
export function examine(db: Database): readonly Finding[] {
  return [integrity(db), log(db), ...race(db)];
}

function integrity(db: Database): Finding {
  const problems = problemsOf(db);
  if (problems.length === 0) {
    return { status: "ok", detail: `${db.path} is sound (integrity_check)` };
  }
  return {
    status: "fail",
    detail: `${db.path} is damaged: ${
      problems.join("; ")
    }; mm doctor --repair saves what can be read`,
  };
}

function race(db: Database): readonly Finding[] {
  const detail = raceNotice(db);
  return detail === undefined ? [] : [{ status: "warn", detail }];
}

// Whoever closes the database last writes the log back; nobody else need to.
function log(db: Database): Finding {
  const size = sizeOf(`${db.path}-wal`);
  const detail = `its log holds ${(size / 1e6).toFixed(1)} MB`;
  if (size <= 4 * WAL_BYTES) return { status: "ok", detail };
  return {
    status: "warn",
    detail: `${detail}: another program keeps reading from it, end it`,
  };
}
