import { renameSync } from "node:fs";
import { UnreadableError } from "../../core/error.ts";
import type { SessionEvent } from "../../core/event.ts";
import { empty, fold, type SessionState } from "../../core/fold.ts";
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
import { checkWritable, format } from "./format.ts";
import { load, type Loaded } from "./load.ts";
import { look } from "./look.ts";
import { Pieces } from "./pieces.ts";
import { save } from "./save.ts";

/** Keeps each session as one JSON file that people and jq can read: the result of the fold. */
export class JsonStore implements Store {
  readonly name = "json";
  readonly supports: Abilities = { durable: true, bounded: false, live: false };
  readonly #folder: Folder;
  readonly #writers: Writers;
  readonly #now: () => Date;
  readonly #cache = new Cache<Loaded>(({ stamp }) => stamp.size);
  readonly #pieces = new Pieces();
  #swept = false;

  /** Sessions live in `folder`; `now` tells which leftovers are old. Nothing is created yet. */
  constructor(folder: string, { now = () => new Date() } = {}) {
    this.#folder = new Folder(folder, ".json");
    this.#writers = new Writers(this.#folder.lock);
    this.#now = now;
  }

  async append(id: string, events: readonly SessionEvent[]): Promise<void> {
    const path = this.#folder.file(id);
    const [first] = events;
    if (!first) return;
    const starts = begins(first);
    if (starts) await this.#folder.create();
    else if (!this.#folder.exists()) checkAppend(id, undefined, events);
    await this.#writers.run(async () => {
      this.#sweepOnce();
      const stored = await this.#stored(id, starts);
      const before = stored === "unreadable" ? undefined : stored?.state;
      checkAppend(id, before?.seq, events);
      const state = events.reduce(fold, before ?? empty());
      if (stored !== "unreadable") return await this.#write(path, id, state);
      await insteadOf(path, () => this.#write(path, id, state));
    });
  }

  async read(id: string): Promise<SessionState | undefined> {
    const path = this.#folder.file(id);
    if (!this.#folder.exists()) return undefined;
    // Whoever copied a conversation compares it with what is on the disk.
    if (this.#cache.get(id)?.written) this.#cache.delete(id);
    return (await this.#load(path, id))?.state;
  }

  async list(query: ListQuery = {}): Promise<Page<Summary>> {
    paginate([], query); // a bad cursor is told before any work
    if (!this.#folder.exists()) return { items: [] };
    return paginate(await summaries(this.#folder, look), query);
  }

  async move(from: string, to: string): Promise<void> {
    const source = this.#folder.file(from);
    const target = this.#folder.file(to);
    if (!this.#folder.exists()) checkMove(from, to, () => false);
    await this.#writers.run(async () => {
      checkMove(from, to, (id) => isTaken(this.#folder.file(id)));
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
    await this.#writers.run(async () => {
      this.#cache.delete(id);
      await this.#unlink(path);
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
    this.#cache.clear();
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
      throw lostRecord(id, error);
    }
  }

  async #write(path: string, id: string, state: SessionState): Promise<void> {
    checkWritable(id, state);
    const stamp = await attempt(
      `save session file "${path}"`,
      () => save(path, format(id, state, this.#pieces)),
    );
    this.#cache.set(id, { state, stamp, written: true });
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
