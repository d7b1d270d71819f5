import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  type SqliteOptions,
  SqliteStore,
} from "../../../plugins/sqlite/sqlite_store.ts";
import { removeDir } from "../../temp_dir.ts";

/** A project folder with a store in it; both go when the test ends. */
export class SqliteLab implements AsyncDisposable {
  readonly project: string;
  readonly path: string;
  readonly store: SqliteStore;
  readonly #stores: SqliteStore[] = [];

  private constructor(project: string, options: SqliteOptions) {
    this.project = project;
    this.path = join(project, ".mm", "sessions.db");
    this.store = this.fresh(options);
  }

  static async create(options: SqliteOptions = {}): Promise<SqliteLab> {
    const project = await Deno.makeTempDir({ prefix: "mm sqlite größe " });
    return new SqliteLab(project, options);
  }

  /** A store that knows nothing of what others did. */
  fresh(options: SqliteOptions = {}): SqliteStore {
    const store = new SqliteStore(this.path, options);
    this.#stores.push(store);
    return store;
  }

  /** What is in the file, seen by another program. */
  query(sql: string, ...values: string[]): Record<string, unknown>[] {
    const db = new DatabaseSync(this.path, { timeout: 5000 });
    try {
      return db.prepare(sql).all(...values);
    } finally {
      db.close();
    }
  }

  /** Changes what is in the file, as another program. */
  script(sql: string): void {
    Deno.mkdirSync(join(this.project, ".mm"), { recursive: true });
    const db = new DatabaseSync(this.path, { timeout: 5000 });
    try {
      db.exec(sql);
    } finally {
      db.close();
    }
  }

  names(): readonly string[] {
    return [...Deno.readDirSync(join(this.project, ".mm"))].map((e) => e.name)
      .toSorted();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const store of this.#stores) await store[Symbol.asyncDispose]();
    await removeDir(this.project);
  }
}
