import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { JsonStore } from "../../plugins/json/json_store.ts";
import { format, interleaved, type Row } from "./measure.ts";
import { sampleSession, sampleTurn } from "./sample_session.ts";

/** All that is measured of the json store. */
export async function store(): Promise<readonly Row[]> {
  return [
    await saveTurn(),
    await listMany(),
    await resumeLarge(),
    { ...await resumeLarge(NOT_LATIN), name: "the same, not in Latin script" },
  ];
}

// Text that takes two bytes a character in memory.
const NOT_LATIN = "größer 日本語 😀";

/** Saving a turn into a 10 MB session, against writing the same bytes and nothing else. */
export async function saveTurn(runs = 21): Promise<Row> {
  return await inFolder(async (dir, store) => {
    const events = sampleSession(10_000_000);
    await store.append(ID, events);
    const bytes = await Deno.readFile(join(dir, `${ID}.json`));
    let seq = events.length;
    let round = 0;
    const save = () => {
      const at = new Date().toISOString();
      const turn = sampleTurn(++round);
      return store.append(
        ID,
        turn.map((draft) => ({ ...draft, seq: ++seq, at })),
      );
    };
    const raw = () => writeRaw(dir, bytes);
    const [value, baseline] = await interleaved(runs, save, raw);
    return { name: "save a turn into 10 MB", value, baseline, target: 1.5 };
  });
}

async function writeRaw(dir: string, bytes: Uint8Array): Promise<void> {
  const temp = join(dir, "raw.tmp");
  const file = await open(temp, "w", 0o600);
  for (let done = 0; done < bytes.length;) {
    done += (await file.write(bytes, done)).bytesWritten;
  }
  await file.sync();
  await file.close();
  await rename(temp, join(dir, "raw"));
  const folder = await open(dir, "r");
  await folder.sync();
  await folder.close();
}

/** Listing many sessions, against opening each and reading its first 4 KiB. */
export async function listMany(count = 10_000, runs = 7): Promise<Row> {
  return await inFolder(async (dir, store) => {
    await fill(dir, store, count);
    const [value, baseline] = await interleaved(
      runs,
      () => store.list(),
      () => readHeads(dir),
    );
    return { name: `list ${count} sessions`, value, baseline, target: 3 };
  });
}

// One real session, copied under other ids: writing each with its syncs would take minutes.
async function fill(
  dir: string,
  store: JsonStore,
  count: number,
): Promise<void> {
  await store.append(ID, sampleSession(12_000));
  const text = await Deno.readTextFile(join(dir, `${ID}.json`));
  for (let n = 1; n < count; n++) {
    const id = `20260916-101530-${n.toString(16).padStart(8, "0")}`;
    const copy = text.replace(ID, id);
    await Deno.writeTextFile(join(dir, `${id}.json`), copy, { mode: 0o600 });
  }
}

function readHeads(dir: string): number {
  const bytes = new Uint8Array(4096);
  let total = 0;
  for (const name of readdirSync(dir)) {
    if (!name.endsWith(".json")) continue;
    const file = openSync(join(dir, name), "r");
    total += readSync(file, bytes, 0, bytes.length, 0);
    closeSync(file);
  }
  return total;
}

/** Resuming a 50 MB session in a process of its own: the most memory it holds, against the file's size. */
export async function resumeLarge(seed = ""): Promise<Row> {
  return await inFolder(async (dir, store) => {
    await store.append(ID, sampleSession(50_000_000, seed));
    const { size } = await Deno.stat(join(dir, `${ID}.json`));
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        new URL("resume_once.ts", import.meta.url).href,
        dir,
        ID,
      ],
    }).output();
    const said = new TextDecoder().decode(code === 0 ? stdout : stderr);
    if (code !== 0) throw new Error(`Cannot measure resuming: ${said}`);
    return {
      name: "memory to resume 50 MB",
      value: Number(said) / 1e6,
      baseline: size / 1e6,
      target: 5,
      unit: "MB",
    };
  });
}

const ID = "20260916-101530-00000000";

async function inFolder<T>(
  work: (dir: string, store: JsonStore) => Promise<T>,
): Promise<T> {
  const root = await Deno.makeTempDir({ prefix: "mm-bench-" });
  try {
    const dir = join(root, "sessions");
    await using store = new JsonStore(dir);
    return await work(dir, store);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

if (import.meta.main) {
  for (const row of await store()) console.log(format(row));
}
