import { renameSync } from "node:fs";
import { ConflictError, UnreadableError } from "../../core/error.ts";
import type { SessionEvent } from "../../core/event.ts";
import type { SessionState } from "../../core/fold.ts";
import {
  type Abilities,
  checkAppend,
  type Finding,
  type ListQuery,
  type Page,
  paginate,
  type Store,
  type Summary,
} from "../../core/store.ts";
import { errorCode, systemFailure } from "../../core/system_error.ts";
import { Folder } from "../files/folder.ts";
import { withLock } from "../files/lock.ts";
import { APPEND, openFile } from "../files/open_file.ts";
import { removeFile } from "../files/remove_file.ts";
import { isTaken, setAside } from "../files/set_aside.ts";
import { sweep } from "../files/sweep.ts";
import { syncFolder } from "../files/sync_folder.ts";
import { addEvents, checkWritable, createSession, placeOf } from "./append.ts";
import { Cache } from "./cache.ts";
import { copyRenamed } from "./copy.ts";
import { examine } from "./examine.ts";
import { summaries } from "./list.ts";
import { load, type Source } from "./load.ts";

/** Keeps each session as one file of events that only grows, one event a line. */
export class JsonlStore implements Store {
  readonly name = "jsonl";
  readonly supports: Abilities = { durable: true, bounded: false, live: false };
  readonly #folder: Folder;
  readonly #now: () => Date;
  readonly #cache = new Cache();
  #last: Promise<unknown> = Promise.resolve();
  #swept = false;

  /** Sessions live in `folder`; `now` tells which leftovers are old. Nothing is created yet. */
  constructor(folder: string, { now = () => new Date() } = {}) {
    this.#folder = new Folder(folder, ".jsonl");
    this.#now = now;
  }

  async append(id: string, events: readonly SessionEvent[]): Promise<void> {
    const source = { path: this.#folder.file(id), id };
    const [first, ...rest] = events;
    if (!first) return;
    const starts = first.type === "opened" || first.type === "restored";
    if (starts) await this.#folder.create();
    else if (!this.#folder.exists()) checkAppend(id, undefined, events);
    await this.#exclusive(async () => {
      this.#sweepOnce();
      try {
        await this.#append(source, [first, ...rest]);
      } catch (error) {
        if (!(error instanceof UnreadableError)) throw error;
        // Only who brings a whole new record may go on where the old one is unreadable.
        if (starts) return await this.#replace(source, [first, ...rest]);
        throw new ConflictError(
          `Cannot add to session ${id}: its file changed and is unreadable now`,
          { cause: error },
        );
      }
    });
  }

  async read(id: string): Promise<SessionState | undefined> {
    const path = this.#folder.file(id);
    if (!this.#folder.exists()) return undefined;
    const loaded = await load({ path, id }, this.#cache.loaded(id));
    if (loaded) this.#cache.setLoaded(id, loaded);
    else this.#cache.delete(id);
    return loaded?.state;
  }

  async list(query: ListQuery = {}): Promise<Page<Summary>> {
    paginate([], query); // a bad cursor is told before any work
    if (!this.#folder.exists()) return { items: [] };
    return paginate(await summaries(this.#folder), query);
  }

  async move(from: string, to: string): Promise<void> {
    const [source, target] = [this.#folder.file(from), this.#folder.file(to)];
    if (!this.#folder.exists()) throw gone(from);
    await this.#exclusive(async () => {
      if (!isTaken(source)) throw gone(from);
      if (isTaken(target)) {
        throw new ConflictError(
          `Cannot move session ${from} to ${to}: that id is taken`,
        );
      }
      this.#cache.delete(from);
      await attempt(
        `move session file "${source}" to "${target}"`,
        () => this.#move(from, to),
      );
    });
  }

  async remove(id: string): Promise<void> {
    const path = this.#folder.file(id);
    if (!this.#folder.exists()) return;
    await this.#exclusive(async () => {
      this.#cache.delete(id);
      await attempt(`remove session file "${path}"`, async () => {
        removeFile(path);
        removeFile(this.#torn(id));
        await syncFolder(this.#folder.path);
      });
    });
  }

  async *check(repair: boolean): AsyncGenerator<Finding> {
    if (!this.#folder.exists()) return;
    const { path } = this.#folder;
    const look = () => examine(path, { repair, now: this.#now() });
    yield* await attempt(
      `check the sessions in "${path}"`,
      () => repair ? this.#exclusive(look) : look(),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last.catch(() => {}); // told to whoever asked for it
    this.#cache.clear();
  }

  // One writer at a time: in this process by a queue, among processes by a lock.
  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.catch(() => {}).then(() =>
      withLock(this.#folder.lock, work)
    );
    this.#last = run;
    return run;
  }

  async #append(
    source: Source,
    events: readonly [SessionEvent, ...SessionEvent[]],
  ): Promise<void> {
    const { path, id } = source;
    using open = await attempt(
      `add to session file "${path}"`,
      () => openFile(path, APPEND),
    );
    const place = open && await placeOf(open, source, this.#cache.place(id));
    checkAppend(id, place?.light.seq, events);
    checkWritable(id, events);
    const next = await attempt(`save session file "${path}"`, () => {
      if (open && place) {
        return addEvents(open, place, { events, torn: this.#torn(id) });
      }
      return createSession(source, events);
    });
    this.#cache.setPlace(id, next);
  }

  async #replace(
    source: Source,
    events: readonly [SessionEvent, ...SessionEvent[]],
  ): Promise<void> {
    const { path } = source;
    const aside = await attempt(
      `set session file "${path}" aside`,
      () => setAside(path),
    );
    try {
      await this.#append(source, events);
    } catch (error) {
      if (!isTaken(path)) renameSync(aside, path);
      throw error;
    }
  }

  // First the copy, then the original: a crash in between leaves both.
  async #move(from: string, to: string): Promise<void> {
    const [source, target] = [this.#folder.file(from), this.#folder.file(to)];
    if (!await this.#copy(source, target, to)) renameSync(source, target);
    await syncFolder(this.#folder.path);
    removeFile(source);
    const torn = this.#torn(from);
    if (isTaken(torn)) renameSync(torn, this.#torn(to));
    await syncFolder(this.#folder.path);
  }

  async #copy(source: string, target: string, id: string): Promise<boolean> {
    try {
      return await copyRenamed(source, target, id);
    } catch (error) {
      if (error instanceof UnreadableError) return false; // as it is, then
      throw error;
    }
  }

  // Where the lines go that a crash cut off in a session's file.
  #torn(id: string): string {
    return this.#folder.file(id, ".torn.txt");
  }

  #sweepOnce(): void {
    if (this.#swept) return;
    this.#swept = true;
    sweep(this.#folder.path, this.#now());
  }
}

function gone(id: string): ConflictError {
  return new ConflictError(
    `Cannot move session ${id}: it was moved or removed`,
  );
}

// What is wrong with the data is told as it is; what the system says is put in words.
async function attempt<T>(
  what: string,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnreadableError) throw error;
    if (error instanceof TypeError && errorCode(error) === undefined) {
      throw error;
    }
    throw systemFailure(what, error);
  }
}
