import { checkEvents } from "./check_event.ts";
import type { SessionEvent } from "./event.ts";
import type { SessionState } from "./fold.ts";
import type { Usage } from "./message.ts";
import { ConflictError } from "./error.ts";

/** What a store can do: documentation, and the switch of its tests. */
export interface Abilities {
  /** Survives a restart. */
  readonly durable: boolean;
  /** Forgets the oldest events past a bound, and says so in `truncated`. */
  readonly bounded: boolean;
  /** Sees live events too. */
  readonly live: boolean;
}

/** A session in a listing. */
export interface Summary {
  /** Its id. */
  readonly id: string;
  /** What it was renamed to, else its first question's first line. */
  readonly title: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC; lists are sorted by it. */
  readonly updatedAt: string;
  /** The folder it is about, absolute. */
  readonly cwd: string;
  /** The model that answered last. */
  readonly model: string;
  /** Settled turns. */
  readonly turns: number;
  /** Recorded errors, 200 at most. */
  readonly errors: number;
  /** Tokens spent. */
  readonly usage: Usage;
  /** Size on disk in bytes, where that means something. */
  readonly bytes?: number;
  /** Why it cannot be read; the other fields are then best guesses. */
  readonly unreadable?: string;
}

/** Which sessions to list. */
export interface ListQuery {
  /** Only those about this folder, compared exactly. */
  readonly cwd?: string;
  /** Only those whose title or id contains this, ignoring case. */
  readonly text?: string;
  /** Where the last page ended: its `next`. */
  readonly cursor?: string;
  /** Items a page, 1 or more. Default 50. */
  readonly limit?: number;
}

/** A part of a list; `next` is absent on the last page. */
export interface Page<T> {
  /** The part, in order. */
  readonly items: readonly T[];
  /** The `cursor` of the next part. */
  readonly next?: string;
}

/** What to search for. */
export interface SearchQuery {
  /** Words, in any order; all of them must occur. Not a query language: every character is text. */
  readonly text: string;
  /** Hits at most. Default 20. */
  readonly limit?: number;
}

/** A message that holds what was searched for. */
export interface Hit {
  /** The session's id. */
  readonly id: string;
  /** The session's title. */
  readonly title: string;
  /** The place of the message in the record, compacted away or not. */
  readonly seq: number;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Who said it. */
  readonly role: "system" | "user" | "assistant" | "tool";
  /** A line of text around the first match. */
  readonly snippet: string;
  /** Where the words stand in `snippet`: start and end, in UTF-16 units. */
  readonly marks: readonly (readonly [number, number])[];
  /** The larger the better; comparable within one search. */
  readonly score: number;
}

/** What a store found when it looked itself over. */
export interface Finding {
  /** Whether somebody should do something about it. */
  readonly status: "ok" | "warn" | "fail";
  /** What it is, what it means, and what can be done or was. */
  readonly detail: string;
}

/**
 * Where sessions live. It keeps events or their fold, and never interprets
 * them; `tests/store_suite.ts` decides what is correct.
 */
export interface Store extends AsyncDisposable {
  /** As in agent.yaml. */
  readonly name: string;
  /** What it can do. */
  readonly supports: Abilities;
  /**
   * Adds events, all or nothing, after the last one stored. Throws
   * ConflictError (see `checkAppend`) when the record moved on.
   */
  append(id: string, events: readonly SessionEvent[]): Promise<void>;
  /** The events, folded; undefined when there are none. Throws UnreadableError. Writes nothing. */
  read(id: string): Promise<SessionState | undefined>;
  /** Newest first, unreadable ones included; reads no conversation. */
  list(query?: ListQuery): Promise<Page<Summary>>;
  /** Gives the record another, unused id. Throws ConflictError when `from` is gone or `to` is taken. */
  move(from: string, to: string): Promise<void>;
  /** Forgets a record; no error when there is none. */
  remove(id: string): Promise<void>;
  /**
   * What was said, best first, for stores that keep an index of it. Without
   * it whoever searches lists and reads. Any text is a valid query.
   */
  search?(query: SearchQuery, signal?: AbortSignal): AsyncIterable<Hit>;
  /**
   * Looks its own files over, for `mm doctor`; that each session can be read
   * is asked beside it. With `repair` it mends what it can: it never deletes a
   * conversation, what cannot be read is set aside.
   */
  check?(repair: boolean): AsyncIterable<Finding>;
  /**
   * Whether it removes a conversation by itself, because nobody touched it for
   * so long. Without it none is.
   */
  expires?(summary: Pick<Summary, "updatedAt">): boolean;
  /** The one file it keeps all of them in, absolute, where there is such a file. */
  readonly file?: string;
  /**
   * What a person should know although nothing failed; each line is given
   * once. It is asked after every write, and shown in that conversation.
   */
  notices?(): readonly string[];
}

/**
 * The rules of `append` for every store: `last` is the stored `seq`, undefined
 * when there is no record. Optimistic locking between processes rests on the
 * first; by the second nothing is stored that could not be read back.
 */
export function checkAppend(
  id: string,
  last: number | undefined,
  events: readonly SessionEvent[],
): void {
  const [first] = events;
  if (!first) return;
  const starts = begins(first);
  if (last === undefined && !starts) {
    throw new ConflictError(
      `Cannot add to session ${id}: it was moved or removed`,
    );
  }
  if (last !== undefined && (starts || first.seq !== last + 1)) {
    throw new ConflictError(
      `Cannot add event ${first.seq} to session ${id}: it stands at ${last}, another process wrote to it`,
    );
  }
  events.forEach((event, i) => {
    if (event.seq !== first.seq + i) {
      throw new RangeError(
        `Cannot add to session ${id}: event ${event.seq} does not follow ${
          first.seq + i - 1
        }`,
      );
    }
  });
  checkEvents(id, events);
}

/** Tells whether an event begins a record: it follows no other. */
export function begins({ type }: SessionEvent): boolean {
  return type === "opened" || type === "restored";
}

/** The rule of `move` for every store; `has` tells of an id whether there is a record, readable or not. */
export function checkMove(
  from: string,
  to: string,
  has: (id: string) => boolean,
): void {
  if (!has(from)) {
    throw new ConflictError(
      `Cannot move session ${from}: it was moved or removed`,
    );
  }
  if (has(to)) {
    throw new ConflictError(
      `Cannot move session ${from} to ${to}: that id is taken`,
    );
  }
}

/** The summary of a state. */
export function summarize(id: string, state: SessionState): Summary {
  const { title, createdAt, updatedAt, cwd, model, turns, usage } = state;
  return {
    id,
    title,
    createdAt,
    updatedAt,
    cwd,
    model,
    turns,
    errors: state.errors.length,
    usage,
  };
}

/** Filters, sorts (newest first, then by id) and cuts one page: the rule of `list` for every store. */
export function paginate(
  all: readonly Summary[],
  query: ListQuery = {},
): Page<Summary> {
  const { limit = 50, text = "", cwd } = query;
  const wanted = text.toLowerCase();
  const after = query.cursor === undefined ? undefined : placeOf(query.cursor);
  const found = all
    .filter((s) => cwd === undefined || s.cwd === cwd)
    .filter((s) => `${s.title}\n${s.id}`.toLowerCase().includes(wanted))
    .filter((s) => after === undefined || newestFirst(after, s) < 0)
    .sort(newestFirst);
  const items = found.slice(0, Math.max(1, limit));
  const end = items.at(-1);
  return found.length > items.length && end
    ? { items, next: encode(end) }
    : { items };
}

/** Where a session stands in a list. */
export type Place = Pick<Summary, "updatedAt" | "id">;

function newestFirst(a: Place, b: Place): number {
  return compare(b.updatedAt, a.updatedAt) || compare(b.id, a.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function encode({ updatedAt, id }: Place): string {
  return btoa(JSON.stringify([updatedAt, id]));
}

/** The place a cursor names: where the last page ended. Throws RangeError. */
export function placeOf(cursor: string): Place {
  try {
    const [updatedAt, id] = JSON.parse(atob(cursor));
    if (typeof updatedAt === "string" && typeof id === "string") {
      return { updatedAt, id };
    }
  } catch { /* told below */ }
  throw new RangeError(`Cannot list sessions: bad cursor "${cursor}"`);
}
