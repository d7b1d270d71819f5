import { join } from "node:path";
import { JsonlStore } from "../../../plugins/jsonl/jsonl_store.ts";
import { removeDir } from "../../temp_dir.ts";

/** A project folder with a store in it; both go when the test ends. */
export class JsonlLab implements AsyncDisposable {
  readonly project: string;
  readonly dir: string;
  readonly store: JsonlStore;
  readonly #stores: JsonlStore[] = [];

  private constructor(project: string) {
    this.project = project;
    this.dir = join(project, ".mm", "sessions");
    this.store = this.fresh();
  }

  static async create(prefix = "mm jsonl größe "): Promise<JsonlLab> {
    return new JsonlLab(await Deno.makeTempDir({ prefix }));
  }

  /** A store that knows nothing of what others did. */
  fresh(): JsonlStore {
    const store = new JsonlStore(this.dir);
    this.#stores.push(store);
    return store;
  }

  file(id: string): string {
    return join(this.dir, `${id}.jsonl`);
  }

  async text(id: string): Promise<string> {
    return await Deno.readTextFile(this.file(id));
  }

  async lines(id: string): Promise<readonly string[]> {
    return (await this.text(id)).split("\n").slice(0, -1);
  }

  /** Puts a file where a session would be. */
  async put(id: string, content: string | Uint8Array): Promise<void> {
    await Deno.mkdir(this.dir, { recursive: true });
    const bytes = typeof content === "string"
      ? new TextEncoder().encode(content)
      : content;
    await Deno.writeFile(this.file(id), bytes);
  }

  async names(): Promise<readonly string[]> {
    return (await Array.fromAsync(Deno.readDir(this.dir), (e) => e.name))
      .toSorted();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const store of this.#stores) await store[Symbol.asyncDispose]();
    await removeDir(this.project);
  }
}
