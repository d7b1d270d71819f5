import { renameSync } from "node:fs";
import { ConflictError, UnreadableError } from "../../core/error.ts";
import type { SessionEvent } from "../../core/event.ts";
import { empty, fold, type SessionState } from "../../core/fold.ts";
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
import { removeFile } from "../files/remove_file.ts";
import { isTaken, setAside } from "../files/set_aside.ts";
import { sweep } from "../files/sweep.ts";
import { syncFolder } from "../files/sync_folder.ts";
import { Cache } from "./cache.ts";
import { examine } from "./examine.ts";
import { checkWritable, format } from "./format.ts";
import { summaries } from "./list.ts";
import { load, type Loaded } from "./load.ts";
import { Pieces } from "./pieces.ts";
import { save } from "./save.ts";

/** Keeps each session as one JSON file that people and jq can read: the result of the fold. */
export class JsonStore implements Store {
  readonly name = "json";
  readonly supports: Abilities = { durable: true, bounded: false, live: false };
  readonly #folder: Folder;
  readonly #now: () => Date;
  readonly #cache = new Cache();
  readonly #pieces = new Pieces();
  #last: Promise<unknown> = Promise.resolve();
  #swept = false;

  /** Sessions live in `folder`; `now` tells which leftovers are old. Nothing is created yet. */
  constructor(folder: string, { now = () => new Date() } = {}) {
    this.#folder = new Folder(folder, ".json");
    this.#now = now;
  }

  async append(id: string, events: readonly SessionEvent[]): Promise<void> {
    const path = this.#folder.file(id);
    const [first] = events;
    if (!first) return;
    const starts = first.type === "opened" || first.type === "restored";
    if (starts) await this.#folder.create();
    else if (!this.#folder.exists()) checkAppend(id, undefined, events);
    await this.#exclusive(async () => {
      this.#sweepOnce();
      const stored = await this.#stored(id, starts);
      const before = stored === "unreadable" ? undefined : stored?.state;
      checkAppend(id, before?.seq, events);
      const state = events.reduce(fold, before ?? empty());
      if (stored !== "unreadable") return await this.#write(path, id, state);
      await this.#writeBeside(path, id, state);
    });
  }

  async read(id: string): Promise<SessionState | undefined> {
    const path = this.#folder.file(id);
    if (!this.#folder.exists()) return undefined;
    return (await this.#load(path, id))?.state;
  }

  async list(query: ListQuery = {}): Promise<Page<Summary>> {
    paginate([], query); // a bad cursor is told before any work
    if (!this.#folder.exists()) return { items: [] };
    return paginate(await summaries(this.#folder), query);
  }

  async move(from: string, to: string): Promise<void> {
    const source = this.#folder.file(from);
    const target = this.#folder.file(to);
    if (!this.#folder.exists()) throw gone(from);
    await this.#exclusive(async () => {
      if (!isTaken(source)) throw gone(from);
      if (isTaken(target)) {
        throw new ConflictError(
          `Cannot move session ${from} to ${to}: that id is taken`,
        );
      }
      const stored = await this.#stored(from, true);
      this.#cache.delete(from);
      if (stored === "unreadable" || !stored) {
        await attempt(
          `move session file "${source}" to "${target}"`,
          () => renameSync(source, target),
        );
        return await syncFolder(this.#folder.path);
      }
      // First the copy, then the original: a crash in between leaves both.
      await this.#write(target, to, stored.state);
      await this.#unlink(source);
    });
  }

  async remove(id: string): Promise<void> {
    const path = this.#folder.file(id);
    if (!this.#folder.exists()) return;
    await this.#exclusive(async () => {
      this.#cache.delete(id);
      await this.#unlink(path);
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

  async #load(path: string, id: string): Promise<Loaded | undefined> {
    const loaded = await load({
      path,
      id,
      keep: (messages, bytes) => this.#pieces.keep(messages, bytes),
    }, this.#cache.get(id));
    if (loaded) this.#cache.set(id, loaded);
    else this.#cache.delete(id);
    return loaded;
  }

  // Only who brings a whole new record may go on where the old one is unreadable.
  async #stored(
    id: string,
    mayBeUnreadable: boolean,
  ): Promise<Loaded | "unreadable" | undefined> {
    try {
      return await this.#load(this.#folder.file(id), id);
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      if (mayBeUnreadable) return "unreadable";
      throw new ConflictError(
        `Cannot add to session ${id}: its file changed and is unreadable now`,
        { cause: error },
      );
    }
  }

  async #write(path: string, id: string, state: SessionState): Promise<void> {
    checkWritable(id, state);
    const stamp = await attempt(
      `save session file "${path}"`,
      () => save(path, format(id, state, this.#pieces)),
    );
    this.#cache.set(id, { state, stamp });
  }

  async #writeBeside(
    path: string,
    id: string,
    state: SessionState,
  ): Promise<void> {
    const aside = await attempt(
      `set session file "${path}" aside`,
      () => setAside(path),
    );
    try {
      await this.#write(path, id, state);
    } catch (error) {
      if (!isTaken(path)) renameSync(aside, path);
      throw error;
    }
  }

  async #unlink(path: string): Promise<void> {
    await attempt(`remove session file "${path}"`, async () => {
      removeFile(path);
      await syncFolder(this.#folder.path);
    });
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
    if (error instanceof TypeError && errorCode(error) === undefined) {
      throw error;
    }
    throw systemFailure(what, error);
  }
}
