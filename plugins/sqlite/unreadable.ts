import { UnreadableError } from "../../core/error.ts";
import { isId } from "../../core/id.ts";
import type { Finding } from "../../core/store.ts";
import type { Database } from "./database.ts";
import { summaryOf } from "./list.ts";
import { load } from "./load.ts";

/**
 * Why conversations of a sound database cannot be read, a few of them: SQLite
 * minds its own structure alone.
 */
export async function unreadableIn(db: Database): Promise<readonly string[]> {
  const reasons: string[] = [];
  for (const row of db.all(ROWS)) {
    if (reasons.length >= 3) break;
    const reason = summaryOf(row).unreadable ??
      await problemOf(db, String(row.id));
    if (reason !== undefined) reasons.push(reason);
  }
  return reasons;
}

const ROWS = "SELECT id, bytes, updated_at, gist FROM sessions";

async function problemOf(
  db: Database,
  id: string,
): Promise<string | undefined> {
  if (!isId(id)) return `${JSON.stringify(id)} is no id`;
  try {
    await load(db, id);
    return undefined;
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return error.message;
  }
}

/** What to do about them; nothing when there are none. */
export function findingOf(
  reasons: readonly string[],
): readonly Finding[] {
  if (reasons.length === 0) return [];
  const detail = `${
    reasons.join("; ")
  }: mm doctor --repair saves what can be read`;
  return [{ status: "fail", detail }];
}
