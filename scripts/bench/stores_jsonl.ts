import { closeSync, fdatasync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { JsonlStore } from "../../plugins/jsonl/jsonl_store.ts";
import { format, interleaved, type Row } from "./measure.ts";
import { message, opened } from "./small_events.ts";

/** All that is measured of the jsonl store. */
export async function jsonl(): Promise<readonly Row[]> {
  return [await append(), await listMany()];
}

/** Appending one event to a session, against writing the same bytes and fdatasync. */
export async function append(runs = 21, events = 50): Promise<Row> {
  return await inFolder(async (dir, store) => {
    await store.append(ID, [opened()]);
    let seq = 1;
    const save = async () => {
      for (let n = 0; n < events; n++) {
        await store.append(ID, [message(++seq)]);
      }
    };
    const file = openSync(join(dir, "raw"), "a", 0o600);
    const bytes = new TextEncoder().encode(`${JSON.stringify(message(1))}\n`);
    const raw = async () => {
      for (let n = 0; n < events; n++) {
        writeSync(file, bytes);
        await sync(file);
      }
    };
    const [value, baseline] = await interleaved(runs, save, raw);
    closeSync(file);
    return {
      name: `jsonl: ${events} appends`,
      value,
      baseline,
      target: 2,
    };
  });
}

const sync = promisify(fdatasync);

/** Listing many sessions, against opening each and reading its last 4 KiB. */
export async function listMany(count = 10_000, runs = 5): Promise<Row> {
  return await inFolder(async (dir, store) => {
    await fill(dir, store, count);
    const [value, baseline] = await interleaved(
      runs,
      () => store.list(),
      () => readEnds(dir),
    );
    return {
      name: `jsonl: list ${count} sessions`,
      value,
      baseline,
      target: 6,
    };
  });
}

// One real session, copied under other ids: writing each with its syncs would take minutes.
async function fill(
  dir: string,
  store: JsonlStore,
  count: number,
): Promise<void> {
  await store.append(ID, [opened()]);
  for (let seq = 2; seq < 60; seq++) await store.append(ID, [message(seq)]);
  const text = await Deno.readTextFile(join(dir, `${ID}.jsonl`));
  for (let n = 1; n < count; n++) {
    const id = `20260916-101530-${n.toString(16).padStart(8, "0")}`;
    const copy = text.replace(ID, id);
    await Deno.writeTextFile(join(dir, `${id}.jsonl`), copy, { mode: 0o600 });
  }
}

function readEnds(dir: string): number {
  const bytes = new Uint8Array(4096);
  let total = 0;
  for (const { name } of Deno.readDirSync(dir)) {
    if (!name.endsWith(".jsonl")) continue;
    using file = Deno.openSync(join(dir, name));
    file.seekSync(-4096, Deno.SeekMode.End);
    total += file.readSync(bytes) ?? 0;
  }
  return total;
}

const ID = "20260916-101530-00000000";

async function inFolder<T>(
  work: (dir: string, store: JsonlStore) => Promise<T>,
): Promise<T> {
  const root = await Deno.makeTempDir({ prefix: "mm-bench-" });
  try {
    const dir = join(root, "sessions");
    await using store = new JsonlStore(dir);
    return await work(dir, store);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

if (import.meta.main) {
  for (const row of await jsonl()) console.log(format(row));
}
