import assert from "node:assert/strict";
import fc from "fast-check";
import { ConflictError } from "../core/error.ts";
import type { EventDraft, SessionEvent } from "../core/event.ts";
import { empty, fold, type SessionState } from "../core/fold.ts";
import type { Message } from "../core/message.ts";
import { searchStore } from "../core/search/search_store.ts";
import {
  type Abilities,
  type ListQuery,
  type Store,
  summarize,
  type Summary,
} from "../core/store.ts";
import {
  answer,
  histories,
  history,
  opened,
  question,
  sessionId,
  time,
} from "./store_suite/histories.ts";
import { Lab, type Make } from "./store_suite/lab.ts";
import { anyBatches } from "./store_suite/random.ts";

/** What the suite tests, one sentence each. */
export type Part = keyof typeof parts;

/** Why a store may leave a part out. */
export type Skips = Readonly<Partial<Record<Part, string>>>;

/**
 * Registers what every store must pass. `make` opens a store; a durable one
 * keeps its data in the folder it is given. `skips` names the exceptions and
 * why; what `supports` rules out is left out by itself. Needs `-A`.
 */
export function storeSuite(name: string, make: Make, skips: Skips = {}): void {
  for (const [what, run] of Object.entries(parts)) {
    const reason = skips[what as Part];
    const title = `${name} ${what}${reason ? ` (skipped: ${reason})` : ""}`;
    Deno.test(title, { ignore: reason !== undefined }, async () => {
      await using lab = await Lab.create(make);
      const store = await lab.open();
      const missing = needs[what as Part]?.find((a) => !store.supports[a]);
      if (missing) return console.log(`  left out: not ${missing}`);
      await run(lab, store);
    });
  }
}

type Run = (lab: Lab, store: Store) => Promise<void>;

const id = sessionId(1);

const parts = {
  "has nothing before the first append": async (lab, store) => {
    const before = await lab.snapshot();
    assert.equal(await store.read(id), undefined);
    assert.deepEqual((await store.list()).items, []);
    await store.append(id, []);
    assert.equal(await store.read(id), undefined);
    assert.deepEqual(await lab.snapshot(), before);
  },

  "reads the fold of a history appended at once": async (lab, store) => {
    for (const [n, events] of Object.values(histories).entries()) {
      await store.append(sessionId(n), events);
    }
    const again = await lab.reopen(store);
    for (const [n, events] of Object.values(histories).entries()) {
      same(await again.read(sessionId(n)), events);
    }
  },

  "reads the fold of a history appended one by one": async (lab, store) => {
    for (const [n, events] of Object.values(histories).entries()) {
      for (const [i, event] of events.entries()) {
        await store.append(sessionId(n), [event]);
        if (i < 20) same(await store.read(sessionId(n)), events, i + 1);
      }
    }
    const again = await lab.reopen(store);
    for (const [n, events] of Object.values(histories).entries()) {
      same(await again.read(sessionId(n)), events);
    }
  },

  "reads the fold of random histories in random batches": async (
    lab,
    store,
  ) => {
    let current = store;
    let n = 0;
    const property = fc.asyncProperty(anyBatches, async (batches) => {
      const session = sessionId(n++);
      let events: readonly SessionEvent[] = [];
      for (const batch of batches) {
        if (batch.reopen) current = await lab.reopen(current);
        await current.append(session, batch.events);
        events = [...events, ...batch.events];
        same(await current.read(session), events);
      }
    });
    await fc.assert(property, { numRuns: 60, seed: 20260916 });
  },

  "changes nothing when a batch is bad": async (_lab, store) => {
    const events = history([opened(), question("One"), answer("1")]);
    await store.append(id, events);
    const [, , , four, five, six] = history([
      ...Array.from({ length: 6 }, () => answer("more")),
    ]);
    const gap = [four!, six!];
    await assert.rejects(store.append(id, gap), RangeError);
    await assert.rejects(store.append(id, [four!, four!]), RangeError);
    await assert.rejects(store.append(id, [five!]), ConflictError);
    same(await store.read(id), events);
    await store.append(id, [four!, five!, six!]);
    same(await store.read(id), [...events, four!, five!, six!]);
  },

  "refuses what could not be read back": async (_lab, store) => {
    const said = history([opened(), question("One")]);
    const state = said.reduce(fold, empty());
    const empties = [
      { role: "user", id: "u" },
      { role: "assistant", id: "a", content: "x", toolCalls: [{ id: "c" }] },
      { role: "robot", id: "r", content: "x" },
    ] as unknown as readonly Message[];
    await store.append(id, said);
    for (const message of empties) {
      const stored = { ...message, seq: 2, at: time(2) };
      const restored = { ...state, messages: [stored] };
      const more = history([{ type: "message", message }], 2);
      const whole = history([{ type: "restored", state: restored }], 1);
      await assert.rejects(store.append(id, more), TypeError);
      await assert.rejects(store.append(sessionId(2), whole), TypeError);
    }
    same(await store.read(id), said);
    assert.equal(await store.read(sessionId(2)), undefined);
    const wanted = { words: ["One"], limit: 10 };
    const { found } = await searchStore(store, wanted, new Set());
    assert.deepEqual(found.map(({ summary }) => summary.id), [id]);
  },

  "refuses what does not follow the record": async (_lab, store) => {
    const [first, second, third] = history([
      opened(),
      question("One"),
      answer("1"),
    ]) as [SessionEvent, SessionEvent, SessionEvent];
    await assert.rejects(store.append(id, [second]), ConflictError);
    assert.equal(await store.read(id), undefined);
    await store.append(id, [first]);
    await assert.rejects(store.append(id, [first]), ConflictError);
    await assert.rejects(store.append(id, [third]), ConflictError);
    await store.append(id, [second]);
    await assert.rejects(store.append(id, [second]), ConflictError);
    same(await store.read(id), [first, second]);
  },

  "lets one of two writers win each place": async (lab, store) => {
    const other = await lab.open();
    await store.append(id, history([opened()]));
    let events = history([opened()]);
    for (let n = 1; n <= 20; n++) {
      const mine = history([question(`mine ${n}`)], n);
      const theirs = history([question(`theirs ${n}`)], n);
      const ends = await Promise.allSettled([
        store.append(id, mine),
        other.append(id, theirs),
      ]);
      assert.equal(ends.filter((e) => e.status === "fulfilled").length, 1);
      const lost = ends.find((e) => e.status === "rejected");
      assert(lost?.reason instanceof ConflictError);
      events = [...events, ...ends[0].status === "fulfilled" ? mine : theirs];
    }
    same(await store.read(id), events);
    same(await other.read(id), events);
  },

  "loses nothing of many writers that try again": async (lab, store) => {
    await store.append(id, history([opened()]));
    const stores = [store, await lab.open(), await lab.open()];
    await Promise.all(stores.map((s, w) => addAll(s, w, 15)));
    const state = await (await lab.open()).read(id);
    const said = state?.messages.map((m) => m.content);
    assert.equal(said?.length, 45);
    assert.equal(new Set(said).size, 45);
    assert.deepEqual(
      state?.messages.map((m) => m.seq),
      Array.from({ length: 45 }, (_, i) => i + 2),
    );
  },

  "keeps sessions apart that are written at once": async (_lab, store) => {
    const ids = Array.from({ length: 12 }, (_, n) => sessionId(n));
    await Promise.all(ids.map(async (session, n) => {
      await store.append(session, history([opened(), question(`q ${n}`)]));
      await store.append(session, history([answer(`a ${n}`)], 2));
    }));
    for (const [n, session] of ids.entries()) {
      same(
        await store.read(session),
        history([opened(), question(`q ${n}`), answer(`a ${n}`)]),
      );
    }
  },

  "gives states that later events do not change": async (_lab, store) => {
    await store.append(id, history([opened(), question("One")]));
    const before = await store.read(id);
    const copy = structuredClone(before);
    await store.append(id, history([answer("1")], 2));
    assert.deepEqual(before, copy);
  },

  "lists what summarize says, newest first": async (lab, store) => {
    for (const [n, events] of Object.values(histories).entries()) {
      await store.append(sessionId(n), events);
    }
    const again = await lab.reopen(store);
    const { items, next } = await again.list();
    assert.equal(next, undefined);
    for (const item of items) {
      const state = await again.read(item.id);
      const { bytes, ...rest } = item;
      assert(bytes === undefined || bytes > 0);
      assert(state);
      assert.deepEqual(rest, summarize(item.id, state));
    }
    const times = items.map((i) => i.updatedAt);
    assert.deepEqual(times, times.toSorted().reverse());
    assert.equal(items.length, Object.keys(histories).length);
  },

  "lists in pages, also among equal times": async (_lab, store) => {
    const at = (n: number) => time(n < 7 ? 1 : n);
    const ids = Array.from({ length: 11 }, (_, n) => sessionId(n));
    for (const [n, session] of ids.entries()) {
      await store.append(session, history([{ ...opened(), at: at(n) }]));
    }
    const pages = await allPages(store, { limit: 3 });
    assert.deepEqual(pages.map((p) => p.length), [3, 3, 3, 2]);
    assert.deepEqual(pages.flat().map((s) => s.id), ids.toReversed());
    assert.equal((await store.list({ limit: 11 })).next, undefined);
  },

  "lists by folder and by text": async (_lab, store) => {
    const put = async (n: number, cwd: string, text: string) =>
      await store.append(sessionId(n), history([opened(cwd), question(text)]));
    await put(1, "/work/app", "Fix the PARSER");
    await put(2, "/work/app/sub", "fix the printer");
    await put(3, "/work/größe 日本", "Paint it");
    const found = async (query: ListQuery) =>
      (await store.list(query)).items.map((s) => s.id).toSorted();
    assert.deepEqual(await found({ cwd: "/work/app" }), [sessionId(1)]);
    assert.deepEqual(await found({ cwd: "/work/größe 日本" }), [sessionId(3)]);
    assert.deepEqual(await found({ cwd: "/work" }), []);
    assert.deepEqual(await found({ text: "parser" }), [sessionId(1)]);
    assert.deepEqual(await found({ text: "FIX" }), [
      sessionId(1),
      sessionId(2),
    ]);
    assert.deepEqual(await found({ text: "00000003" }), [sessionId(3)]);
    assert.deepEqual(await found({ text: "fix", cwd: "/work/app/sub" }), [
      sessionId(2),
    ]);
  },

  "refuses a bad cursor": async (_lab, store) => {
    await store.append(id, history([opened()]));
    for (const cursor of ["", "x", "é", btoa("[1,2]"), btoa("{}")]) {
      await assert.rejects(store.list({ cursor }), RangeError);
    }
  },

  "does not find what was taken back": async (lab, store) => {
    const found = async (current: Store, word: string) => {
      const wanted = { words: [word], limit: 10 };
      const all = await searchStore(current, wanted, new Set());
      return all.found.map(({ summary }) => summary.id);
    };
    const said = history([opened(), question("apple"), answer("pear")]);
    const taken: EventDraft = { type: "withdrawn", from: 4 };
    const again: EventDraft = { type: "withdrawn", from: 5 };
    // One by one, all at once, and in what was restored whole.
    const state = [...said, ...history([question("hunter2")], 3)]
      .reduce(fold, empty());
    const restored: EventDraft = { type: "restored", state };
    await store.append(sessionId(1), said);
    await store.append(sessionId(1), history([question("hunter2")], 3));
    await store.append(sessionId(2), [
      ...said,
      ...history([question("hunter2"), taken, question("quince")], 3),
    ]);
    await store.append(sessionId(3), history([restored], 3));
    const before = await found(store, "hunter2");
    assert.deepEqual(before.toSorted(), [sessionId(1), sessionId(3)]);
    await store.append(sessionId(1), history([taken, question("quince")], 4));
    await store.append(sessionId(3), history([taken, question("quince")], 4));
    await store.append(sessionId(3), history([again, question("quince")], 6));
    assert.deepEqual(await found(store, "hunter2"), []);
    const later = await lab.reopen(store);
    assert.deepEqual(await found(later, "hunter2"), []);
    if (store.supports.bounded) return; // it may have dropped the rest
    for (const word of ["apple", "pear", "quince"]) {
      assert.equal((await found(later, word)).length, 3, word);
    }
  },

  "moves a record to a free id": async (lab, store) => {
    const events = history([opened(), question("One"), answer("1")]);
    await store.append(id, events);
    await store.move(id, sessionId(2));
    assert.equal(await store.read(id), undefined);
    await assert.rejects(
      store.append(id, history([question("lost")], 3)),
      ConflictError,
    );
    await store.append(id, history([opened("/work/new")]));
    const again = await lab.reopen(store);
    same(await again.read(sessionId(2)), events);
    same(await again.read(id), history([opened("/work/new")]));
    const more = history([question("Two")], 3);
    await again.append(sessionId(2), more);
    same(await again.read(sessionId(2)), [...events, ...more]);
  },

  "refuses to move what is gone, or onto what is there": async (
    _lab,
    store,
  ) => {
    await assert.rejects(store.move(id, sessionId(2)), ConflictError);
    await store.append(id, history([opened("/a")]));
    await store.append(sessionId(2), history([opened("/b")]));
    await assert.rejects(store.move(id, sessionId(2)), ConflictError);
    await assert.rejects(store.move(id, id), ConflictError);
    same(await store.read(id), history([opened("/a")]));
    same(await store.read(sessionId(2)), history([opened("/b")]));
  },

  "lets one of two moves win": async (lab, store) => {
    const other = await lab.open();
    await store.append(id, history([opened()]));
    const ends = await Promise.allSettled([
      store.move(id, sessionId(2)),
      other.move(id, sessionId(3)),
    ]);
    assert.equal(ends.filter((e) => e.status === "fulfilled").length, 1);
    const ids = (await store.list()).items.map((s) => s.id);
    assert.deepEqual(ids, [
      ends[0].status === "fulfilled" ? sessionId(2) : sessionId(3),
    ]);
  },

  "loses no event between an append and a move": async (lab, store) => {
    const other = await lab.open();
    for (let n = 10; n < 30; n += 2) {
      const [from, to] = [sessionId(n), sessionId(n + 1)];
      const before = history([opened()]);
      const more = history([question("late")], 1);
      await store.append(from, before);
      const [added] = await Promise.allSettled([
        other.append(from, more),
        store.move(from, to),
      ]);
      const won = added?.status === "fulfilled";
      same(await store.read(to), won ? [...before, ...more] : before);
      assert.equal(await other.read(from), undefined);
    }
  },

  "removes a record, once or twice": async (lab, store) => {
    const other = await lab.open();
    await store.remove(id);
    await store.append(id, history([opened()]));
    await store.append(sessionId(2), history([opened()]));
    await Promise.all([store.remove(id), other.remove(id)]);
    assert.equal(await store.read(id), undefined);
    assert.equal(await other.read(id), undefined);
    assert.deepEqual((await store.list()).items.map((s) => s.id), [
      sessionId(2),
    ]);
    await assert.rejects(
      other.append(id, history([question("late")], 1)),
      ConflictError,
    );
    await store.append(id, history([opened("/again")]));
    same(await other.read(id), history([opened("/again")]));
  },

  "lets no hostile id out of its place": async (lab, store) => {
    await store.append(id, history([opened()]));
    const before = await lab.snapshot();
    for (const hostile of HOSTILE) {
      const tries = [
        store.append(hostile, history([opened()])),
        store.read(hostile),
        store.move(id, hostile),
        store.move(hostile, sessionId(2)),
        store.remove(hostile),
      ];
      await Promise.allSettled(tries);
    }
    const rest = before.filter((line) => !line.includes(id));
    const after = await lab.snapshot();
    for (const line of rest.filter((l) => l.includes(".json"))) {
      assert(after.includes(line));
    }
    same(await store.read(id), history([opened()]));
  },

  "keeps any text": async (lab, store) => {
    const texts = [
      "",
      "\0\u0001\u001f\u007f",
      "\ud800 lone \udc00",
      "\u2028\u2029\ufeff",
      "a\r\nb\nc\rd\te",
      `],"errors":[\n]}`,
      "😀 日本語 é",
      `"\\`,
    ];
    const events = history([
      opened("/work/ü \ud800", ""),
      ...texts.map((t) => question(t)),
      ...texts.map((t) => answer(t)),
      { type: "titled", title: "\ud800\0" },
    ]);
    await store.append(id, events);
    same(await store.read(id), events);
    same(await (await lab.reopen(store)).read(id), events);
  },

  "keeps a message of 5 MB": async (lab, store) => {
    const events = history([
      opened(),
      question("x".repeat(5_000_000)),
      answer("é\n".repeat(100_000)),
    ]);
    await store.append(id, events);
    const again = await lab.reopen(store);
    same(await again.read(id), events);
    const more = history([question("small")], 3);
    await again.append(id, more);
    same(await (await lab.reopen(again)).read(id), [...events, ...more]);
  },

  "writes nothing when it reads": async (lab, store) => {
    for (const [n, events] of Object.values(histories).entries()) {
      await store.append(sessionId(n), events);
    }
    const again = await lab.reopen(store);
    const before = await lab.snapshot();
    for (let round = 0; round < 3; round++) {
      for (const { id } of (await again.list()).items) await again.read(id);
      await again.read(sessionId(99));
    }
    assert.deepEqual(await lab.snapshot(), before);
  },

  "survives a restart": async (lab, store) => {
    const events = history([opened(), question("One"), answer("1")]);
    await store.append(id, events);
    const again = await lab.reopen(store);
    same(await again.read(id), events);
    const more = history([question("Two")], 3);
    await again.append(id, more);
    same(await (await lab.reopen(again)).read(id), [...events, ...more]);
  },
} satisfies Record<string, Run>;

// A store in memory has its data to itself.
const needs: Readonly<Partial<Record<Part, readonly (keyof Abilities)[]>>> = {
  "lets one of two writers win each place": ["durable"],
  "loses nothing of many writers that try again": ["durable"],
  "lets one of two moves win": ["durable"],
  "loses no event between an append and a move": ["durable"],
  "removes a record, once or twice": ["durable"],
  "survives a restart": ["durable"],
};

const HOSTILE = [
  "",
  ".",
  "..",
  "../escape",
  `../${sessionId(5)}`,
  `sub/${sessionId(5)}`,
  `/tmp/${sessionId(5)}`,
  `${sessionId(5)}\0`,
  `${sessionId(5)}/../x`,
  `${sessionId(5)}\n`,
  "CON",
  "x".repeat(5000),
];

// A bounded store may have dropped the oldest events: then it says so.
function same(
  state: SessionState | undefined,
  events: readonly SessionEvent[],
  count = events.length,
): void {
  assert(state, "there is no record");
  const expected = events.slice(0, count).reduce(fold, empty());
  if (state.truncated && !expected.truncated) {
    return assert.equal(state.seq, expected.seq);
  }
  assert.deepEqual(state, expected);
}

async function addAll(store: Store, who: number, times: number): Promise<void> {
  for (let n = 0; n < times;) {
    const { seq } = await store.read(id) ?? empty();
    try {
      await store.append(id, history([question(`${who}-${n}`)], seq));
      n++;
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
    }
  }
}

async function allPages(
  store: Store,
  query: ListQuery,
): Promise<readonly (readonly Summary[])[]> {
  const pages: (readonly Summary[])[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({ ...query, ...cursor && { cursor } });
    pages.push(page.items);
    cursor = page.next;
  } while (cursor !== undefined);
  return pages;
}
