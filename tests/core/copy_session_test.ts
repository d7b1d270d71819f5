import assert from "node:assert/strict";
import { continues } from "../../core/continues.ts";
import { copySession } from "../../core/copy_session.ts";
import { UnreadableError } from "../../core/error.ts";
import type { EventDraft, SessionEvent } from "../../core/event.ts";
import { empty, fold } from "../../core/fold.ts";
import { MemoryStore } from "../../core/memory_store.ts";
import { same } from "../../core/same.ts";
import {
  answer,
  histories,
  history,
  opened,
  question,
  sessionId,
} from "../store_suite/histories.ts";

const id = sessionId(1);

const settled: EventDraft = { type: "settled", reason: "end_turn" };

const turns = history([
  opened(),
  question("One", "q1"),
  answer("1", "a1"),
  settled,
  question("Two", "q2"),
  answer("2", "a2"),
  settled,
]);

Deno.test("copySession() gives an equal fold, and does nothing the second time", async () => {
  for (const [name, events] of Object.entries(histories)) {
    const from = await store(events);
    const to = new MemoryStore();
    const first = await copySession(id, from, to);
    assert.equal(first.status, "copied", name);
    assert.deepEqual(await to.read(id), await from.read(id));
    assert.equal((await copySession(id, from, to)).status, "same");
  }
});

Deno.test("copySession() brings an earlier state up to date, and leaves a later one alone", async () => {
  for (let n = 1; n < turns.length; n++) {
    const [early, late] = [await store(turns.slice(0, n)), await store(turns)];
    assert.equal(
      (await copySession(id, late, early)).status,
      "updated",
      `${n}`,
    );
    assert.deepEqual(await early.read(id), await late.read(id));
    assert.equal((await early.list()).items.length, 1);
    const again = await store(turns.slice(0, n));
    assert.equal((await copySession(id, again, late)).status, "newer", `${n}`);
    assert.deepEqual(await late.read(id), turns.reduce(fold, empty()));
  }
});

Deno.test("copySession() reports a different conversation and overwrites nothing", async () => {
  const common = turns.slice(0, 4);
  const mine = [...common, ...history([question("Mine"), answer("m")], 4)];
  const theirs = [...common, ...history([question("Theirs")], 4)];
  for (const other of [theirs, history([opened("/elsewhere")])]) {
    const [from, to] = [await store(mine), await store(other)];
    const before = await to.read(id);
    const { status, reason } = await copySession(id, from, to);
    assert.equal(status, "different");
    assert.match(reason ?? "", /another conversation of this id/);
    assert.equal(await to.read(id), before);
  }
});

Deno.test("copySession() tells what is unreadable, gone, set aside or cannot be written", async () => {
  class Broken extends MemoryStore {
    override read(): Promise<never> {
      return Promise.reject(new UnreadableError("Cannot read it"));
    }
  }
  class Full extends MemoryStore {
    override append(): Promise<never> {
      return Promise.reject(new Error("the disk is full"));
    }
  }
  class Lossy extends MemoryStore {
    override append(id: string, events: readonly SessionEvent[]) {
      return super.append(id, events.map(withoutLast));
    }
  }
  const good = await store(turns);
  const end = async (id: string, from: MemoryStore, to: MemoryStore) => {
    const { status, reason } = await copySession(id, from, to);
    return [status, reason];
  };
  assert.deepEqual(await end(id, new Broken(), good), [
    "unreadable",
    "Cannot read it",
  ]);
  assert.equal((await end(id, good, new Broken()))[0], "failed");
  assert.deepEqual(await end(sessionId(9), good, new MemoryStore()), [
    "failed",
    "it is gone",
  ]);
  assert.equal((await end(`${id}.unreadable-1`, good, good))[0], "unreadable");
  assert.deepEqual(await end(id, good, new Full()), [
    "failed",
    "the disk is full",
  ]);
  assert.match(String((await end(id, good, new Lossy()))[1]), /does not read/);
});

Deno.test("copySession() brings nothing that the other store would remove at once", async () => {
  const from = await store(turns);
  const to = Object.assign(new MemoryStore(), {
    expires: ({ updatedAt }: { updatedAt: string }) =>
      updatedAt === turns.at(-1)?.at,
  });
  assert.deepEqual(await copySession(id, from, to), {
    id,
    status: "failed",
    reason: "memory would remove it: nobody touched it for too long",
  });
  assert.equal(await to.read(id), undefined);
});

Deno.test("copySession() keeps the earlier state when the later one cannot be written", async () => {
  class Stubborn extends MemoryStore {
    stuck = false;
    override append(id: string, events: readonly SessionEvent[]) {
      return this.stuck
        ? Promise.reject(new Error("the disk is full"))
        : super.append(id, events);
    }
  }
  const to = new Stubborn();
  await to.append(id, turns.slice(0, 4));
  const before = await to.read(id);
  to.stuck = true;
  const { status, reason } = await copySession(id, await store(turns), to);
  assert.deepEqual([status, reason], ["failed", "the disk is full"]);
  assert.deepEqual(await to.read(id), before);
  assert.equal((await to.list()).items.length, 1);
});

Deno.test("copySession() counts what another process copied meanwhile, and leaves nothing beside it", async () => {
  const from = await store(turns);
  for (const early of [[], turns.slice(0, 4)]) {
    // The other one comes between the look and the write.
    const to = new class extends MemoryStore {
      #other = true;
      override async append(id: string, events: readonly SessionEvent[]) {
        if (events[0]?.type === "restored" && this.#other) {
          this.#other = false;
          await super.append(id, events);
        }
        await super.append(id, events);
      }
    }();
    await to.append(id, early);
    assert.deepEqual(await copySession(id, from, to), { id, status: "same" });
    const { items } = await to.list();
    assert.deepEqual(items.map((s) => s.id), [id]);
    assert.deepEqual(await to.read(id), await from.read(id));
  }
});

Deno.test("continues() follows compaction and withdrawal", () => {
  const at = (n: number, ...more: EventDraft[]) =>
    [...turns.slice(0, n), ...history(more, n)].reduce(fold, empty());
  const compacted = at(7, { type: "compacted", summary: "s", keepFrom: 5 });
  assert(continues(compacted, at(4)));
  assert(continues(compacted, at(7)));
  const withdrawn = at(6, { type: "withdrawn", from: 5 });
  assert(continues(withdrawn, at(6)));
  assert(!continues(withdrawn, at(7)));
  assert(!continues(at(4), at(7)));
  assert(!continues(at(4), at(4)));
});

Deno.test("same() compares as JSON does", () => {
  assert(same({ a: 1, b: [0, { c: null }] }, { b: [-0, { c: null }], a: 1 }));
  assert(same({ a: undefined }, {}));
  for (
    const [a, b] of [[1, "1"], [[], {}], [null, {}], [[1], [1, 2]], [{}, null]]
  ) {
    assert(!same(a, b));
  }
});

async function store(events: readonly SessionEvent[]): Promise<MemoryStore> {
  const made = new MemoryStore();
  await made.append(id, events);
  return made;
}

Deno.test("copySession() is content with a copy that somebody else goes on with at once", async () => {
  class Busy extends MemoryStore {
    override async append(id: string, events: readonly SessionEvent[]) {
      await super.append(id, events);
      const [last] = events.slice(-1);
      if (last?.type !== "restored") return;
      await super.append(id, history([question("More")], last.seq));
    }
  }
  const to = new Busy();
  const { status } = await copySession(id, await store(turns), to);
  assert.equal(status, "copied");
  assert.equal((await to.read(id))?.seq, turns.length + 1);
});

function withoutLast(event: SessionEvent): SessionEvent {
  if (event.type !== "restored") return event;
  const messages = event.state.messages.slice(0, -1);
  return { ...event, state: { ...event.state, messages } };
}
