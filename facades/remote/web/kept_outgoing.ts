import { clear, createStore, delMany, entries, set, update } from "idb-keyval";
import type { Sent } from "../client/pending_list.ts";

/** How long a message waits for its server, in milliseconds: a week. */
const MAX_AGE = 7 * 24 * 3600 * 1000;

const outgoing = createStore("mm-outgoing", "outgoing");

interface Kept {
  readonly at: number;
  readonly value: Sent;
}

/** What was sent from this browser and not confirmed, in the order it was sent; of what was refused, why. */
export async function readOutgoing(now = Date.now()): Promise<Sent[]> {
  const all = await entries<string, Kept>(outgoing);
  const old = all.filter(([, { at }]) => now - at > MAX_AGE);
  if (old.length > 0) await delMany(old.map(([key]) => key), outgoing);
  return all.filter((entry) => !old.includes(entry))
    .sort(([, a], [, b]) => a.at - b.at)
    .map(([, { value }]) => value);
}

/** Makes what is kept of the messages on their way follow `after`. Each tab minds its own. */
export async function keepOutgoing(
  before: readonly Sent[],
  after: readonly Sent[],
  at = Date.now(),
): Promise<void> {
  const added = after.filter((sent) => !before.some((b) => b.id === sent.id));
  const changed = after.filter((sent) =>
    before.some((b) => b.id === sent.id && b.refused !== sent.refused)
  );
  const gone = before.filter((sent) => !after.some((a) => a.id === sent.id));
  await Promise.all([
    ...added.map((value, i) => set(value.id, { at: at + i, value }, outgoing)),
    ...changed.map((value) => keepChange(value, at)),
  ]);
  if (gone.length > 0) await delMany(gone.map(({ id }) => id), outgoing);
}

/** Forgets all of them. */
export async function dropOutgoing(): Promise<void> {
  await clear(outgoing);
}

// It keeps its place among them.
async function keepChange(value: Sent, at: number): Promise<void> {
  await update<Kept>(
    value.id,
    (kept) => ({ at: kept?.at ?? at, value }),
    outgoing,
  );
}
