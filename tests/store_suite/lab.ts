import type { Store } from "../../core/store.ts";
import { removeDir } from "../temp_dir.ts";

/** Opens a store whose data, when it is durable, is in `dir`. */
export type Make = (dir: string) => Store | Promise<Store>;

/** One test's folder and the stores opened in it; everything goes when it ends. */
export class Lab implements AsyncDisposable {
  readonly #dir: string;
  readonly #make: Make;
  readonly #open: Store[] = [];

  private constructor(dir: string, make: Make) {
    this.#dir = dir;
    this.#make = make;
  }

  static async create(make: Make): Promise<Lab> {
    return new Lab(await Deno.makeTempDir({ prefix: "mm-store-" }), make);
  }

  /** A store on this lab's data: another each time, as another process would have. */
  async open(): Promise<Store> {
    const store = await this.#make(this.#dir);
    this.#open.push(store);
    return store;
  }

  /** Closes `store` and opens its data again; a store in memory goes on. */
  async reopen(store: Store): Promise<Store> {
    if (!store.supports.durable) return store;
    await store[Symbol.asyncDispose]();
    this.#open.splice(this.#open.indexOf(store), 1);
    return await this.open();
  }

  /** Every path below the folder, with bytes and time: to see that nothing changed. */
  async snapshot(path = this.#dir): Promise<readonly string[]> {
    const all: string[] = [];
    for await (const entry of Deno.readDir(path)) {
      const below = `${path}/${entry.name}`;
      const { mtime, size, mode } = await Deno.lstat(below);
      all.push(`${below} ${mtime?.toISOString()} ${size} ${mode}`);
      if (entry.isDirectory) all.push(...await this.snapshot(below));
      if (entry.isFile) all.push(await digest(below));
    }
    return all.sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const store of this.#open) await store[Symbol.asyncDispose]();
    await removeDir(this.#dir);
  }
}

async function digest(path: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", await Deno.readFile(path));
  return `${path} ${new Uint8Array(hash).toHex()}`;
}
