import assert from "node:assert/strict";
import fc from "fast-check";
import { copySession } from "../../core/copy_session.ts";
import type { SessionEvent } from "../../core/event.ts";
import { exportSession } from "../../core/export_session.ts";
import { foldAll } from "../../core/fold_all.ts";
import { MemoryStore } from "../../core/memory_store.ts";
import type { Store } from "../../core/store.ts";
import { histories, sessionId } from "../store_suite/histories.ts";
import { openForTest } from "../store_suite/open.ts";
import { anyHistory } from "../store_suite/random.ts";
import { TempDir } from "../temp_dir.ts";

const CHAIN = ["json", "sqlite", "jsonl", "json", "jsonl", "sqlite"];

Deno.test("an export is the same to the byte, through whatever stores the conversation went", async () => {
  await using lab = await Chain.make();
  for (const events of Object.values(histories)) await lab.check(events);
  await fc.assert(
    fc.asyncProperty(anyHistory, (events) => lab.check(events)),
    { numRuns: 20, seed: 20261201 },
  );
});

/** Projects in a row, each with a store of its own. */
class Chain implements AsyncDisposable {
  readonly #dirs: readonly TempDir[];
  #count = 0;

  private constructor(dirs: readonly TempDir[]) {
    this.#dirs = dirs;
  }

  static async make(): Promise<Chain> {
    return new Chain(await Promise.all(CHAIN.map(() => TempDir.make())));
  }

  /** Takes a conversation through all of them; each store reads what another one wrote. */
  async check(events: readonly SessionEvent[]): Promise<void> {
    const id = sessionId(++this.#count);
    const expected = exportSession(id, foldAll(events), "json");
    let from: Store = new MemoryStore();
    await from.append(id, events);
    for (const i of CHAIN.keys()) {
      const to = await this.#open(i);
      await copySession(id, from, to);
      await from[Symbol.asyncDispose]();
      await to[Symbol.asyncDispose]();
      from = await this.#open(i);
      const state = (await from.read(id))!;
      assert.equal(exportSession(id, state, "json"), expected, to.name);
    }
    await from[Symbol.asyncDispose]();
  }

  async #open(i: number): Promise<Store> {
    return await openForTest(CHAIN[i]!, this.#dirs[i]!.path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const dir of this.#dirs) await dir[Symbol.asyncDispose]();
  }
}
