import { errorLine } from "../../core/error.ts";
import type { Database } from "./database.ts";
import { sizeOf, WAL_BYTES } from "./open.ts";
import { eventually } from "./patience.ts";

/**
 * Writes the log back into the database before it grows too long. SQLite does
 * so itself every thousand pages, but waits for no reader: where readers take
 * turns without a pause the log would only grow.
 */
export class WriteBack {
  readonly #notice: (text: string) => void;
  #writes = 0;
  #next = WAL_BYTES;
  #told = 0;

  /** `notice` hears what keeps it from doing so. */
  constructor(notice: (text: string) => void) {
    this.#notice = notice;
  }

  /** Call it after each write, before the next one: while nothing is written readers move on to the end of the log. */
  async afterWrite(db: Database): Promise<void> {
    if (++this.#writes % CHECK_EVERY > 0) return;
    const size = sizeOf(`${db.path}-wal`);
    if (size < this.#next) return;
    const done = await this.#writeBack(db);
    this.#next = done ? WAL_BYTES : size + WAL_BYTES;
    if (done) this.#told = 0;
    else this.#tell(db, size);
  }

  // What was written is safe in the log: no failure here is one of the write.
  async #writeBack(db: Database): Promise<boolean> {
    try {
      return await eventually(
        () => db.pragma("wal_checkpoint(TRUNCATE)") === 0,
        READERS_MS,
      );
    } catch (error) {
      this.#notice(
        `Cannot write back the log of session database "${db.path}": ${
          errorLine(error)
        }; nothing is lost, it is tried again`,
      );
      return false;
    }
  }

  #tell({ path }: Database, size: number): void {
    if (size <= 4 * WAL_BYTES || size < 2 * this.#told) return;
    this.#told = size;
    const megabytes = Math.round(size / 1e6);
    this.#notice(
      `The log of session database "${path}" has grown to ${megabytes} MB: another program keeps reading from it`,
    );
  }
}

const CHECK_EVERY = 20; // asking for the size takes as long as a small write

/** How long readers are waited for; two readers that take turns need twice the time of one. */
const READERS_MS = 1000;
