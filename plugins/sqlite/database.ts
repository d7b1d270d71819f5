import { DatabaseSync, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { STEP_MS } from "./patience.ts";
import { inodeOf } from "./place.ts";

/** A value of a row. */
export type Value = string | number | bigint | Uint8Array | null;

/** A row. */
export type Row = Readonly<Record<string, Value>>;

/** One connection, its statements prepared once. */
export class Database implements Disposable {
  readonly path: string;
  /** Of the file that was opened: another may take its name. */
  readonly inode: number | undefined;
  /** Of its log, which stays the same while it is open. */
  logInode: number | undefined;
  /** Nobody can write to the file. */
  readonly immutable: boolean;
  /** What another connection to the same file opens. */
  readonly location: string;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string, { immutable = false } = {}) {
    this.path = path;
    this.location = immutable ? `${pathToFileURL(path)}?immutable=1` : path;
    this.immutable = immutable;
    this.inode = inodeOf(path);
    this.#db = new DatabaseSync(this.location, {
      timeout: STEP_MS,
      readOnly: immutable,
    });
  }

  /** All rows. */
  all(sql: string, ...values: Value[]): readonly Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  /** The first row; undefined when there is none. */
  get(sql: string, ...values: Value[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  /** Runs a statement; gives the id of the row it inserted. */
  run(sql: string, ...values: Value[]): number {
    return Number(this.#prepare(sql).run(...values).lastInsertRowid);
  }

  /** The value of a pragma. */
  pragma(name: string): Value | undefined {
    return Object.values(this.get(`PRAGMA ${name}`) ?? {})[0];
  }

  /** Runs a script of statements. */
  script(sql: string): void {
    this.#db.exec(sql);
  }

  /** Does `work` and keeps all of it, or nothing. No other connection writes meanwhile. */
  write<T>(work: () => T): T {
    this.run("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.run("COMMIT");
      return result;
    } catch (error) {
      this.#rollback();
      throw error;
    }
  }

  /** Does `work` that reads, all of it from one state of the database. */
  still<T>(work: () => T): T {
    this.run("SAVEPOINT still");
    try {
      return work();
    } finally {
      this.run("RELEASE still");
    }
  }

  [Symbol.dispose](): void {
    this.#statements.clear();
    this.#db.close();
  }

  // SQLite has already done so after some errors, a full disk for one.
  #rollback(): void {
    if (this.#db.isTransaction) this.run("ROLLBACK");
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
