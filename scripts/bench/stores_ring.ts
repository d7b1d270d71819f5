import { RingStore } from "../../plugins/ring/ring_store.ts";
import { format, median, type Row } from "./measure.ts";
import { message, opened } from "./small_events.ts";

/** All that is measured of the ring store. */
export async function ring(): Promise<readonly Row[]> {
  return [await append(1), await append(10), await memory()];
}

/** 500,000 small events appended, so many at a time, far past the bound: a second at most. */
export async function append(batch: number, runs = 5): Promise<Row> {
  const times: number[] = [];
  for (let n = 0; n < runs; n++) {
    const start = performance.now();
    await fill(new RingStore(), { batch });
    times.push(performance.now() - start);
  }
  const name = `ring: ${COUNT} appends, ${batch} at once`;
  return { name, value: median(times), baseline: 1000, target: 1 };
}

/** What a ring that was filled fifty times over weighs, against one that is just full. */
export async function memory(): Promise<Row> {
  const store = new RingStore();
  await fill(store, { count: 10_000 });
  const baseline = weight(store);
  await fill(store, { after: 10_000 });
  const value = weight(store);
  return {
    name: "ring: weight past its bound",
    value,
    baseline,
    target: 1.1,
    unit: "kB",
  };
}

function weight(store: RingStore): number {
  return JSON.stringify(store.slice(ID)).length / 1000;
}

async function fill(
  store: RingStore,
  { count = COUNT, after = 0, batch = 10 },
): Promise<void> {
  if (after === 0) await store.append(ID, [opened()]);
  for (let n = Math.max(2, after + 1); n <= count; n += batch) {
    const end = Math.min(count, n + batch - 1);
    const events = [];
    for (let seq = n; seq <= end; seq++) events.push(message(seq, TEXT));
    await store.append(ID, events);
  }
}

const COUNT = 500_000;
const TEXT = "And what about this?";
const ID = "20260916-101530-00000000";

if (import.meta.main) {
  for (const row of await ring()) console.log(format(row));
}
