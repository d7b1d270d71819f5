import { renameSync } from "node:fs";
import { UnreadableError } from "../../core/error.ts";
import type { SessionEvent } from "../../core/event.ts";
import type { SessionState } from "../../core/fold.ts";
import {
  type Abilities,
  begins,
  checkAppend,
  checkMove,
  type Finding,
  type ListQuery,
  type Page,
  paginate,
  type Store,
  type Summary,
} from "../../core/store.ts";
import { attempt } from "../files/attempt.ts";
import { Cache } from "../files/cache.ts";
import { lostRecord } from "../files/errors.ts";
import { examine } from "../files/examine.ts";
import { Folder } from "../files/folder.ts";
import { summaries } from "../files/list.ts";
import { removeFile } from "../files/remove_file.ts";
import { insteadOf, isTaken } from "../files/set_aside.ts";
import { sweep } from "../files/sweep.ts";
import { syncFolder } from "../files/sync_folder.ts";
import { Writers } from "../files/writers.ts";
import { addEvents, createSession } from "./append.ts";
import { copyRenamed } from "./copy.ts";
import { LastFile } from "./last_file.ts";
import { load, type Loaded, type Source } from "./load.ts";
import { look } from "./look.ts";
import { type Place, placeOf } from "./place.ts";

/** Keeps each session as one file of events that only grows, one event a line. */
export class JsonlStore implements Store {
  readonly name = "jsonl";
  readonly supports: Abilities = { durable: true, bounded: false, live: false };
  readonly #folder: Folder;
  readonly #writers: Writers;
  readonly #now: () => Date;
  readonly #loaded = new Cache<Loaded>(({ stamp }) => stamp.size);
  readonly #places = new Cache<Place>(() => 1, MAX_PLACES);
  readonly #last = new LastFile();
  #swept = false;

  /** Sessions live in `folder`; `now` tells which leftovers are old. Nothing is created yet. */
  constructor(folder: string, { now = () => new Date() } = {}) {
    this.#folder = new Folder(folder, ".jsonl");
    this.#writers = new Writers(this.#folder.lock);
    this.#now = now;
  }

  async append(id: string, events: readonly SessionEvent[]): Promise<void> {
    const path = this.#folder.file(id);
    const [first, ...rest] = events;
    if (!first) return;
    const starts = begins(first);
    if (starts) await this.#folder.create();
    else if (!this.#folder.exists()) checkAppend(id, undefined, events);
    await this.#writers.run(async () => {
      this.#sweepOnce();
      const work = () => this.#append({ path, id }, [first, ...rest]);
      try {
        await work();
      } catch (error) {
        if (!(error instanceof UnreadableError)) throw error;
        // Only who brings a whole new record may go on where the old one is unreadable.
        if (starts) return await insteadOf(path, work);
        throw lostRecord(id, error);
      }
    });
  }

  async read(id: string): Promise<SessionState | undefined> {
    const path = this.#folder.file(id);
    if (!this.#folder.exists()) return undefined;
    const loaded = await load({ path, id }, this.#loaded.get(id));
    if (loaded) this.#loaded.set(id, loaded);
    else this.#forget(id);
    return loaded?.state;
  }

  async list(query: ListQuery = {}): Promise<Page<Summary>> {
    paginate([], query); // a bad cursor is told before any work
    if (!this.#folder.exists()) return { items: [] };
    return paginate(await summaries(this.#folder, look), query);
  }

  async move(from: string, to: string): Promise<void> {
    const [source, target] = [this.#folder.file(from), this.#folder.file(to)];
    if (!this.#folder.exists()) checkMove(from, to, () => false);
    await this.#writers.run(async () => {
      checkMove(from, to, (id) => isTaken(this.#folder.file(id)));
      this.#leave(from);
      await attempt(
        `move session file "${source}" to "${target}"`,
        () => this.#move(from, to),
      );
    });
  }

  async remove(id: string): Promise<void> {
    const path = this.#folder.file(id);
    if (!this.#folder.exists()) return;
    await this.#writers.run(async () => {
      this.#leave(id);
      await attempt(`remove session file "${path}"`, async () => {
        removeFile(path);
        removeFile(this.#torn(id));
        await syncFolder(this.#folder.path);
      });
    });
  }

  async *check(repair: boolean): AsyncGenerator<Finding> {
    if (!this.#folder.exists()) return;
    const work = () =>
      examine(this.#folder, { repair, now: this.#now(), read: load });
    yield* await attempt(
      `check the sessions in "${this.#folder.path}"`,
      () => repair ? this.#writers.run(work) : work(),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writers[Symbol.asyncDispose]();
    this.#last[Symbol.dispose]();
    this.#loaded.clear();
    this.#places.clear();
  }

  async #append(
    source: Source,
    events: readonly [SessionEvent, ...SessionEvent[]],
  ): Promise<void> {
    const { path, id } = source;
    const open = await attempt(
      `add to session file "${path}"`,
      () => this.#last.at(path),
    );
    const place = open && await placeOf(open, source, this.#places.get(id));
    checkAppend(id, place?.light.seq, events);
    const next = await attempt(`save session file "${path}"`, () => {
      if (open && place) {
        return addEvents(open, place, { events, torn: this.#torn(id) });
      }
      return createSession(source, events);
    });
    this.#places.set(id, next);
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

  #forget(id: string): void {
    this.#loaded.delete(id);
    this.#places.delete(id);
  }

  // Call it as a writer: another one may be adding to the file that is open.
  #leave(id: string): void {
    this.#forget(id);
    this.#last[Symbol.dispose]();
  }

  #sweepOnce(): void {
    if (this.#swept) return;
    this.#swept = true;
    sweep(this.#folder.path, this.#now());
  }
}

const MAX_PLACES = 1000;
