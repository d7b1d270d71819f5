import assert from "node:assert/strict";
import fc from "fast-check";
import { copySession } from "../../core/copy_session.ts";
import type { SessionEvent } from "../../core/event.ts";
import { exportSession } from "../../core/export_session.ts";
import { foldAll } from "../../core/fold_all.ts";
import type { Store } from "../../core/store.ts";
import { histories, sessionId } from "../store_suite/histories.ts";
import { openForTest } from "../store_suite/open.ts";
import { anyHistory } from "../store_suite/random.ts";
import { TempDir } from "../temp_dir.ts";

const CHAIN = ["json", "sqlite", "jsonl", "json", "jsonl", "sqlite", "ring"];

Deno.test("an export is the same to the byte, through whatever stores the conversation went", async () => {
  await using lab = await Chain.make();
  for (const events of Object.values(histories)) await lab.check(events);
  await fc.assert(
    fc.asyncProperty(anyHistory, (events) => lab.check(events)),
    { numRuns: 20, seed: 20261201 },
  );
});

/** Stores in a row, each in a project of its own. */
class Chain implements AsyncDisposable {
  readonly #dirs: readonly TempDir[];
  readonly #stores: readonly Store[];
  #count = 0;

  private constructor(dirs: readonly TempDir[], stores: readonly Store[]) {
    this.#dirs = dirs;
    this.#stores = stores;
  }

  static async make(): Promise<Chain> {
    const dirs = await Promise.all(CHAIN.map(() => TempDir.make()));
    const stores = dirs.map(({ path }, i) => openForTest(CHAIN[i]!, path));
    return new Chain(dirs, await Promise.all(stores));
  }

  /** Takes a conversation through all of them. */
  async check(events: readonly SessionEvent[]): Promise<void> {
    const id = sessionId(++this.#count);
    const expected = exportSession(id, foldAll(events), "json");
    const [first, ...rest] = this.#stores;
    let from = first!;
    await from.append(id, events);
    for (const to of [from, ...rest]) {
      if (to !== from) await copySession(id, from, to);
      const state = (await to.read(id))!;
      assert.equal(exportSession(id, state, "json"), expected, to.name);
      from = to;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const store of this.#stores) await store[Symbol.asyncDispose]();
    for (const dir of this.#dirs) await dir[Symbol.asyncDispose]();
  }
}
