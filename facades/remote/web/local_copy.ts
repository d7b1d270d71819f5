import { createStore, delMany, entries, get, set } from "idb-keyval";
import type { Copy } from "../client/mirror.ts";
import type { Sent } from "../client/pending_list.ts";

/** Sessions that are kept; those that changed last stay. */
const MAX_SESSIONS = 20;
/** Messages that are kept of one: what is shown at first, and some more. */
const MAX_MESSAGES = 500;
/** How long a message waits for its server, in milliseconds: a week. */
const MAX_AGE = 7 * 24 * 3600 * 1000;

const copies = createStore("mm-copies", "copies");
const outgoing = createStore("mm-outgoing", "outgoing");

interface Kept<T> {
  readonly at: number;
  readonly value: T;
}

/** What this browser knew of a session; undefined when it knew nothing. */
export async function readCopy(session: string): Promise<Copy | undefined> {
  return (await get<Kept<Copy>>(session, copies))?.value;
}

/** Keeps what is known of a session, within bounds. */
export async function keepCopy(copy: Copy, at = Date.now()): Promise<void> {
  const value = bounded(copy);
  await set(copy.session, { at, value } satisfies Kept<Copy>, copies);
  const all = await entries<string, Kept<Copy>>(copies);
  const old = all.sort(([, a], [, b]) => b.at - a.at).slice(MAX_SESSIONS);
  if (old.length > 0) await delMany(old.map(([key]) => key), copies);
}

/** What was sent from this browser and not confirmed, in the order it was sent. */
export async function readOutgoing(now = Date.now()): Promise<Sent[]> {
  const all = await entries<string, Kept<Sent>>(outgoing);
  const old = all.filter(([, { at }]) => now - at > MAX_AGE);
  if (old.length > 0) await delMany(old.map(([key]) => key), outgoing);
  return all.filter((entry) => !old.includes(entry))
    .sort(([, a], [, b]) => a.at - b.at)
    .map(([, { value: { refused: _, ...sent } }]) => sent);
}

/** Makes what is kept of the messages on their way follow `after`. Each tab minds its own. */
export async function keepOutgoing(
  before: readonly Sent[],
  after: readonly Sent[],
  at = Date.now(),
): Promise<void> {
  const added = after.filter((sent) => !before.some((b) => b.id === sent.id));
  const gone = before.filter((sent) => !after.some((a) => a.id === sent.id));
  await Promise.all(
    added.map((value, i) => set(value.id, { at: at + i, value }, outgoing)),
  );
  if (gone.length > 0) await delMany(gone.map(({ id }) => id), outgoing);
}

/** Forgets all conversations and messages that are kept in this browser. */
export async function forgetAll(): Promise<void> {
  for (const store of [copies, outgoing]) {
    await delMany((await entries(store)).map(([key]) => key), store);
  }
}

// A copy that lacks its beginning is only for looking at: the server sends the whole again.
function bounded(copy: Copy): Copy {
  const { messages } = copy.state;
  if (messages.length <= MAX_MESSAGES) return copy;
  const { position: _, ...rest } = copy;
  const state = {
    ...copy.state,
    messages: messages.slice(-MAX_MESSAGES),
    truncated: true,
  };
  return { ...rest, state };
}
