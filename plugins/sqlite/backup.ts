import { renameSync } from "node:fs";
import { errorLine, UserError } from "../../core/error.ts";
import type { Database } from "./database.ts";
import { isDamage } from "./errors.ts";
import { writeNew } from "./place.ts";

/** Copies a database to a file beside it, for this user alone; gives its path. */
export function backup(db: Database, now: Date): string {
  const stamp = now.toISOString().replaceAll(/[:.]/g, "-");
  const path = `${db.path}.backup-${stamp}`;
  const part = `${path}.tmp`;
  try {
    writeNew(part, "");
    db.run("VACUUM INTO ?", part);
    renameSync(part, path);
    return path;
  } catch (error) {
    if (isDamage(error)) throw error; // which a repair mends
    throw new UserError(
      `Cannot back up session database to "${path}": ${
        errorLine(error)
      }; nothing was changed`,
      { cause: error },
    );
  }
}
