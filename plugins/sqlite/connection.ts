import { withLock } from "../files/lock.ts";
import type { Database } from "./database.ts";
import { failure, isBusy } from "./errors.ts";
import { openDatabase, type OpenOptions } from "./open.ts";
import { patiently } from "./patience.ts";
import { inodeOf } from "./place.ts";
import { Readers } from "./readers.ts";
import { hasWalRace, versionOf } from "./version.ts";
import { WriteBack } from "./write_back.ts";

/** How a connection is made, and who hears of what is odd. */
export interface ConnectionOptions extends OpenOptions {
  readonly notice: (text: string) => void;
}

/**
 * The one connection of this store that writes, and the readers beside it.
 * It opens when it is first needed, and again when the file was replaced.
 */
export class Connection implements AsyncDisposable {
  readonly #options: ConnectionOptions;
  #db: Database | undefined;
  #readers: Readers | undefined;
  #opening: Promise<Database | undefined> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  readonly #writeBack: WriteBack;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#writeBack = new WriteBack(options.notice);
  }

  /**
   * Does something that writes, in a transaction, after all that was asked for
   * before. `make` says what to do when there is no database: make one, or
   * nothing but give undefined.
   */
  write<T>(
    attempt: string,
    make: boolean,
    work: (db: Database) => T,
  ): Promise<T | undefined> {
    return this.#queue(async () => {
      const db = await this.#open(make);
      if (!db) return undefined;
      try {
        return await this.#inTurn(db, async () => {
          const { timeout } = this.#options;
          const result = await patiently(
            () => db.write(() => work(db)),
            timeout,
          );
          await this.#writeBack.afterWrite(db);
          return result;
        });
      } catch (error) {
        throw failure(attempt, error);
      }
    });
  }

  /** Writes the log back and empties it, if nobody reads from it. */
  writeBack(attempt: string): Promise<void> {
    return this.#queue(async () => {
      const db = await this.#open(false);
      if (!db || db.immutable) return;
      try {
        await this.#inTurn(
          db,
          () => Promise.resolve(db.pragma("wal_checkpoint(TRUNCATE)")),
        );
      } catch (error) {
        if (!isBusy(error)) throw failure(attempt, error);
      }
    });
  }

  /** Does something that reads; undefined when there is no database. */
  async read<T>(
    attempt: string,
    work: (db: Database) => T | Promise<T>,
  ): Promise<T | undefined> {
    const db = await this.#open(false);
    try {
      // A read meets a lock only while a log is being recovered.
      return db && await patiently(() => work(db), this.#options.timeout);
    } catch (error) {
      throw failure(attempt, error);
    }
  }

  /** Read-only connections in threads of their own; undefined when there is no database. */
  async readers(): Promise<Readers | undefined> {
    const db = await this.#open(false);
    return db && (this.#readers ??= new Readers(db.location));
  }

  /** Does something with the file itself, while nothing of this store is open. */
  alone<T>(work: (options: OpenOptions) => Promise<T>): Promise<T> {
    return this.#queue(async () => {
      await this.#opening?.catch(() => {}); // told to whoever asked for it
      await this.#close();
      return await work(this.#options);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last.catch(() => {}); // told to whoever asked for it
    await this.#opening?.catch(() => {});
    await this.#close();
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.catch(() => {}).then(work);
    this.#last = run;
    return run;
  }

  #open(make: boolean): Promise<Database | undefined> {
    const opening = (this.#opening ?? Promise.resolve(undefined))
      .catch(() => {}) // told to whoever asked for it
      .then(() => this.#current(make));
    this.#opening = opening;
    return opening;
  }

  // Whoever replaced or removed the file meant it: what is written to the old
  // one would be lost.
  async #current(make: boolean): Promise<Database | undefined> {
    const db = this.#db;
    const inode = db && inodeOf(db.path);
    if (db && !db.immutable && inode === db.inode) return db;
    await this.#close();
    if (db && inode !== db.inode) removeLog(db);
    this.#db = await openDatabase(this.#options, make);
    return this.#db;
  }

  async #close(): Promise<void> {
    const db = this.#db;
    this.#db = undefined;
    const readers = this.#readers;
    this.#readers = undefined;
    await readers?.[Symbol.asyncDispose]();
    if (!db) return;
    // The last one to close writes the log back.
    await this.#inTurn(db, () => Promise.resolve(db[Symbol.dispose]()));
  }

  // On a SQLite with the WAL-reset race nobody may commit while another
  // checkpoints: processes of ours then take turns.
  async #inTurn<T>(db: Database, work: () => Promise<T>): Promise<T> {
    return !db.immutable && hasWalRace(versionOf(db))
      ? await withLock(`${db.path}.lock`, work)
      : await work();
  }
}

// The log of a file that is gone would be taken for that of the next one.
function removeLog({ path, logInode }: Database): void {
  if (logInode === undefined || inodeOf(`${path}-wal`) !== logInode) return;
  Deno.removeSync(`${path}-wal`);
}
