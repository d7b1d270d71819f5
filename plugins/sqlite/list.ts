import { isId } from "../../core/id.ts";
import {
  type ListQuery,
  type Page,
  paginate,
  type Place,
  placeOf,
  summarize,
  type Summary,
} from "../../core/store.ts";
import { pause } from "../files/pause.ts";
import type { Database, Row } from "./database.ts";
import { lightOf } from "./log.ts";

/**
 * One page of the sessions: of newest rows no more than it holds are read, and
 * more of them, in steps, only where the query leaves some out.
 */
export async function list(
  db: Database,
  query: ListQuery,
): Promise<Page<Summary>> {
  const { limit = 50, cursor } = query;
  let place = cursor === undefined ? START : placeOf(cursor);
  let count = Math.min(Math.max(1, limit), Number.MAX_SAFE_INTEGER - 1) + 1;
  const found: Summary[] = [];
  for (;;) {
    const rows = db.all(NEXT, place.updatedAt, place.id, count);
    for (let at = 0; at < rows.length; at += SLICE_ROWS) {
      if (at > 0) await pause();
      found.push(...wanted(rows.slice(at, at + SLICE_ROWS), query));
    }
    const last = rows.at(-1);
    if (!last || rows.length < count || found.length > limit) break;
    place = { updatedAt: String(last.updated_at), id: String(last.id) };
    count = SLICE_ROWS;
    await pause();
  }
  return paginate(found, query);
}

/** Before the newest one. */
const START: Place = { updatedAt: "\u{10ffff}", id: "" };

const SLICE_ROWS = 2000;

// First the places alone, by their index.
const NEXT = `SELECT id, bytes, updated_at, gist FROM sessions WHERE key IN (
  SELECT key FROM sessions WHERE (updated_at, id) < (?, ?)
  ORDER BY updated_at DESC, id DESC LIMIT ?
) ORDER BY updated_at DESC, id DESC`;

function wanted(rows: readonly Row[], query: ListQuery): readonly Summary[] {
  // As files of other names are none of ours.
  const own = rows.filter(({ id }) => isId(String(id)));
  const every = { ...query, limit: rows.length };
  return paginate(own.map(summaryOf), every).items;
}

/** The summary in a row of `sessions`. */
export function summaryOf({ id, bytes, updated_at, gist }: Row): Summary {
  const light = lightOf(String(gist));
  if (light) return { ...summarize(String(id), light), bytes: Number(bytes) };
  return {
    id: String(id),
    title: "",
    createdAt: String(updated_at),
    updatedAt: String(updated_at),
    cwd: "",
    model: "",
    turns: 0,
    errors: 0,
    usage: { input: 0, output: 0 },
    unreadable: "its row in the table sessions is damaged",
  };
}
