import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errorLine, UnreadableError } from "../../core/error.ts";
import type { SessionEvent } from "../../core/event.ts";
import type { SessionState } from "../../core/fold.ts";
import { assertId } from "../../core/id.ts";
import type { StoredMessage } from "../../core/message.ts";
import {
  type Abilities,
  begins,
  checkAppend,
  checkMove,
  type Finding,
  type Hit,
  type ListQuery,
  type Page,
  paginate,
  type SearchQuery,
  type Store,
  type Summary,
} from "../../core/store.ts";
import { Cache } from "../files/cache.ts";
import { Connection } from "./connection.ts";
import type { Database } from "./database.ts";
import { examine } from "./examine.ts";
import { list } from "./list.ts";
import { leftovers } from "./leftovers.ts";
import { load, type Loaded } from "./load.ts";
import { addEvents, deleteSession, renameSession, standing } from "./log.ts";
import { mend, problemsOf } from "./mend.ts";
import { recentMessages } from "./recent.ts";
import { rescue } from "./rescue.ts";
import { oldBefore, untouchedSince } from "./retention.ts";
import { search } from "./search.ts";
import { catchUp, forgetSome, isBehind, MAX_WAITING } from "./text_index.ts";
import { findingOf, unreadableIn } from "./unreadable.ts";
import { WorkingMemory } from "./working_memory.ts";

/** What a store on SQLite may be told. */
export interface SqliteOptions {
  /** How long to wait for another process, in ms. Default 5000. */
  readonly timeout?: number;
  /** Messages that `recent` gives, and holds in memory. Default 50. */
  readonly workingMemoryCap?: number;
  /** Sessions untouched for so many days are removed. Default: none is. */
  readonly keepDays?: number;
  /** What conversations of an older program are about. Default: the database's folder. */
  readonly project?: string;
  readonly now?: () => Date;
}

/** Keeps all sessions in one SQLite database: their events, and an index of what was said. */
export class SqliteStore implements Store {
  readonly name = "sqlite";
  readonly supports: Abilities = { durable: true, bounded: false, live: false };
  readonly #path: string;
  readonly #options: SqliteOptions;
  readonly #cap: number;
  readonly #connection: Connection;
  readonly #cache = new Cache<Loaded>(({ bytes }) => bytes);
  readonly #memory: WorkingMemory;
  #notices: string[] = [];
  readonly #noticed = new Set<string>();
  #waiting = 0; // events not indexed yet
  #tidy = false;

  /** The database is the file `path`. Nothing is created yet. */
  constructor(path: string, options: SqliteOptions = {}) {
    const { timeout = 5000, workingMemoryCap = 50 } = options;
    const { project = dirname(path), now = () => new Date() } = options;
    this.#path = path;
    this.#options = options;
    this.#cap = workingMemoryCap;
    this.#memory = new WorkingMemory(workingMemoryCap);
    const notice = (text: string) => void this.#notices.push(text);
    this.#connection = new Connection({ path, timeout, project, now, notice });
  }

  async append(id: string, events: readonly SessionEvent[]): Promise<void> {
    assertId(id);
    const [first] = events;
    if (!first) return;
    const starts = begins(first);
    const key = await this.#connection.write(
      `save session ${id} in "${this.#path}"`,
      starts,
      (db) => this.#append(db, id, events),
    );
    if (key === undefined) return checkAppend(id, undefined, events);
    this.#memory.add(key, events);
    this.#waiting += events.length;
    if (this.#waiting >= MAX_WAITING) await this.#index();
    await this.#tidyOnce();
  }

  async read(id: string): Promise<SessionState | undefined> {
    assertId(id);
    const loaded = await this.#connection.read(
      `read session ${id} in "${this.#path}"`,
      (db) => load(db, id, this.#cache.get(id)),
    );
    if (loaded) this.#cache.set(id, loaded);
    else this.#cache.delete(id);
    return loaded?.state;
  }

  async list(query: ListQuery = {}): Promise<Page<Summary>> {
    paginate([], query); // a bad cursor is told before any work
    const page = await this.#connection.read(
      `list the sessions in "${this.#path}"`,
      (db) => list(db, query),
    );
    return page ?? { items: [] };
  }

  async move(from: string, to: string): Promise<void> {
    assertId(from);
    assertId(to);
    const moved = await this.#connection.write(
      `move session ${from} to ${to} in "${this.#path}"`,
      false,
      (db) => {
        checkMove(from, to, (id) => standing(db, id) !== undefined);
        renameSession(db, from, to);
        return true;
      },
    );
    if (!moved) checkMove(from, to, () => false);
    this.#cache.delete(from);
  }

  async remove(id: string): Promise<void> {
    assertId(id);
    const attempt = `remove session ${id} from "${this.#path}"`;
    await this.#remove(attempt, id, (db) => standing(db, id) !== undefined);
    await this.#emptyLog();
  }

  async *search(query: SearchQuery, signal?: AbortSignal): AsyncGenerator<Hit> {
    const attempt = `search the sessions in "${this.#path}"`;
    const behind = await this.#connection.read(
      attempt,
      (db) => !db.immutable && isBehind(db),
    );
    if (behind) await this.#catchUp(attempt);
    const readers = await this.#connection.readers();
    if (readers) yield* search(readers, query, signal);
  }

  /**
   * The newest messages of a session, compacted ones included, and its first
   * question: read by an index when it is first asked for, then from memory.
   */
  async recent(id: string): Promise<readonly StoredMessage[]> {
    assertId(id);
    const found = await this.#connection.read(
      `read session ${id} in "${this.#path}"`,
      (db) => this.#recent(db, id),
    );
    return found ?? [];
  }

  async *check(repair: boolean): AsyncGenerator<Finding> {
    const { now = () => new Date() } = this.#options;
    yield* leftovers(this.#path, { repair, now: now() });
    if (repair) yield* await this.#repair();
    const attempt = `check session database "${this.#path}"`;
    const found = await this.#connection.read(attempt, examine) ?? [];
    yield* found;
    if (found.some(({ status }) => status === "fail")) return;
    yield* findingOf(await this.#connection.read(attempt, unreadableIn) ?? []);
  }

  expires({ updatedAt }: Pick<Summary, "updatedAt">): boolean {
    const { keepDays, now = () => new Date() } = this.#options;
    return keepDays !== undefined && updatedAt < oldBefore(keepDays, now());
  }

  get file(): string {
    return this.#path;
  }

  notices(): readonly string[] {
    return this.#notices.splice(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // So that the next search, which may not be allowed to write, finds all.
    if (this.#waiting > 0) await this.#index();
    await this.#connection[Symbol.asyncDispose]();
  }

  async #repair(): Promise<readonly Finding[]> {
    const attempt = `repair session database "${this.#path}"`;
    try {
      const problems = await this.#connection.read(attempt, problemsOf) ?? [];
      const mended = problems.length > 0
        ? await this.#connection.write(attempt, false, mend)
        : [];
      await this.#connection.read(
        attempt,
        (db) => !db.immutable && db.pragma("wal_checkpoint(TRUNCATE)"),
      );
      const left = await this.#connection.read(attempt, unreadableIn) ?? [];
      if (left.length === 0) return mended ?? [];
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
    }
    return await this.#connection.alone(rescue);
  }

  // Its words first, in steps: it is listed until nothing of it is left, so
  // whoever is stopped on the way can remove it again.
  async #remove(
    attempt: string,
    id: string,
    meant: (db: Database) => boolean,
  ): Promise<boolean> {
    const step = (db: Database) => meant(db) && forgetSome(db, id);
    while (await this.#connection.write(attempt, false, step)) {
      await delay(PAUSE_MS);
    }
    const removed = await this.#connection.write(attempt, false, (db) => {
      if (!meant(db)) return false;
      deleteSession(db, id);
      return true;
    });
    this.#cache.delete(id);
    return removed ?? false;
  }

  // What was removed is still in there. While others read it stays, until the
  // last one closes the database.
  async #emptyLog(): Promise<void> {
    try {
      await this.#connection.writeBack(
        `write back the log of "${this.#path}"`,
      );
    } catch (error) {
      this.#noticeOnce(error); // what was removed is removed all the same
    }
  }

  #append(db: Database, id: string, events: readonly SessionEvent[]): number {
    const before = standing(db, id);
    checkAppend(id, before?.seq, events);
    if (before && !before.light) {
      throw new UnreadableError(
        `Cannot add to session ${id}: its row in the table sessions of "${this.#path}" is damaged`,
      );
    }
    return addEvents(db, { id, before }, events).key;
  }

  #recent(db: Database, id: string): readonly StoredMessage[] {
    const now = standing(db, id);
    if (!now) return [];
    const known = this.#memory.get(now.key, now.seq);
    if (known) return known;
    this.#memory.set(now.key, now.seq, recentMessages(db, id, this.#cap));
    return this.#memory.get(now.key, now.seq) ?? [];
  }

  // In a transaction of its own: a damaged index must not stop a conversation.
  async #index(): Promise<void> {
    this.#waiting = 0;
    const attempt = `index what was said in "${this.#path}"`;
    try {
      await this.#catchUp(attempt);
    } catch (error) {
      // The next search does it, or says what is wrong.
      if (error instanceof UnreadableError) this.#noticeOnce(error);
    }
  }

  // In steps: other processes write in between.
  async #catchUp(attempt: string): Promise<void> {
    while (await this.#connection.write(attempt, false, catchUp));
  }

  async #tidyOnce(): Promise<void> {
    const { keepDays, now = () => new Date() } = this.#options;
    if (this.#tidy || keepDays === undefined) return;
    this.#tidy = true;
    try {
      const removed = await this.#removeOld(oldBefore(keepDays, now()));
      if (removed === 0) return;
      this.#notices.push(
        `Removed from "${this.#path}": ${removed} that nobody touched for ${keepDays} days (keepDays)`,
      );
      await this.#emptyLog();
    } catch (error) {
      this.#noticeOnce(error); // what was appended is stored all the same
    }
  }

  async #removeOld(time: string): Promise<number> {
    const attempt = `remove old sessions from "${this.#path}"`;
    const old = await this.#connection.read(
      attempt,
      (db) => untouchedSince(db, time),
    );
    let removed = 0;
    for (const id of old ?? []) {
      // Somebody may go on with it meanwhile.
      const meant = (db: Database) => untouchedSince(db, time).includes(id);
      if (await this.#remove(attempt, id, meant)) removed++;
    }
    return removed;
  }

  #noticeOnce(error: unknown): void {
    const text = errorLine(error);
    if (this.#noticed.has(text)) return;
    this.#noticed.add(text);
    this.#notices.push(text);
  }
}

/** Between steps of a removal; whoever waits inside SQLite looks that often. */
const PAUSE_MS = 25;
