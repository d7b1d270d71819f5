import { UnreadableError } from "../../core/error.ts";
import type { SessionEvent } from "../../core/event.ts";
import type { SessionState } from "../../core/fold.ts";
import { foldAll } from "../../core/fold_all.ts";
import { pause } from "../files/pause.ts";
import type { Database, Row } from "./database.ts";
import { Joiner, PARTS_MISSING } from "./joiner.ts";
import { standing } from "./log.ts";

/** A session in memory, and how far. */
export interface Loaded {
  readonly key: number;
  /** The row of its last event. */
  readonly row: number;
  readonly state: SessionState;
  readonly bytes: number;
}

/**
 * Reads a session: what was added when `known` is an earlier state of it,
 * else all, in slices. Undefined when there is none. Throws UnreadableError.
 */
export async function load(
  db: Database,
  id: string,
  known?: Loaded,
): Promise<Loaded | undefined> {
  for (;;) {
    const now = standing(db, id);
    if (!now) return undefined;
    const start = known?.key === now.key ? known : undefined;
    if (start?.state.seq === now.seq) return start;
    const joiner = new Joiner();
    let row = start?.row ?? 0;
    for await (const rows of slices(db, id, row)) {
      for (const { id, data } of rows) {
        row = Number(id);
        const problem = joiner.add(valueOf(db, row, String(data)));
        if (problem) throw unreadableRow(db, row, problem);
      }
    }
    if (joiner.missing > 0) throw unreadable(db, id, PARTS_MISSING);
    const { events } = joiner;
    const state = foldAll(events, start?.state);
    const { key, bytes } = now;
    // It may have been moved, removed or added to between two slices.
    if (standing(db, id)?.key === key && state.seq >= now.seq) {
      const gap = gapIn(events, start?.state.seq);
      if (gap) throw unreadable(db, id, gap);
      return { key, row, state, bytes };
    }
    if (standing(db, id)?.key === key) {
      throw unreadable(db, id, `its last events are missing`);
    }
  }
}

async function* slices(
  db: Database,
  id: string,
  after: number,
): AsyncGenerator<readonly Row[]> {
  let last = after;
  for (;;) {
    const rows = db.all(SLICE, id, last);
    yield rows;
    if (rows.length < SLICE_ROWS) return;
    last = Number(rows.at(-1)?.id);
    await pause();
  }
}

const SLICE_ROWS = 100; // a part of a long conversation is large
const SLICE =
  `SELECT id, data FROM events WHERE session_id = ? AND id > ? ORDER BY id LIMIT ${SLICE_ROWS}`;

function valueOf(db: Database, row: number, data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    throw unreadableRow(db, row, "it is not valid JSON", error);
  }
}

function gapIn(
  events: readonly SessionEvent[],
  before: number | undefined,
): string | undefined {
  let last = before;
  for (const { seq } of events) {
    if (last !== undefined && seq !== last + 1) {
      return `event ${seq} comes after event ${last}`;
    }
    last = seq;
  }
  return undefined;
}

function unreadable(db: Database, id: string, reason: string): UnreadableError {
  return new UnreadableError(
    `Cannot read session ${id} in "${db.path}": ${reason}`,
  );
}

function unreadableRow(
  { path }: Database,
  row: number,
  reason: string,
  cause?: unknown,
): UnreadableError {
  return new UnreadableError(
    `Cannot read row ${row} of events in "${path}": ${reason}`,
    { cause },
  );
}
