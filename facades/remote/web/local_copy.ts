import { clear, createStore, delMany, get, set, update } from "idb-keyval";
import { weigh } from "../../../core/weigh.ts";
import type { Copy } from "../client/mirror.ts";

/** Sessions that are kept; those that changed last stay. */
const MAX_SESSIONS = 20;
/** Messages that are kept of one: what is shown at first, and some more. */
const MAX_MESSAGES = 500;
/** And their size, about, in UTF-16 units. */
const MAX_SIZE = 2_000_000;

const copies = createStore("mm-copies", "copies");
/** When each was kept: the copies themselves are long to read. */
const TIMES = "times";

type Times = Readonly<Record<string, number>>;

/** What this browser knew of a session; undefined when it knew nothing. */
export async function readCopy(session: string): Promise<Copy | undefined> {
  return await get<Copy>(session, copies); // where there is no storage, it throws at once
}

/** Keeps what is known of a session, within bounds. */
export async function keepCopy(copy: Copy, at = Date.now()): Promise<void> {
  let old: string[] = [];
  await set(copy.session, bounded(copy), copies);
  await update<Times>(TIMES, (before = {}) => {
    const all = Object.entries({ ...before, [copy.session]: at })
      .sort(([, a], [, b]) => b - a);
    old = all.slice(MAX_SESSIONS).map(([session]) => session);
    return Object.fromEntries(all.slice(0, MAX_SESSIONS));
  }, copies);
  if (old.length > 0) await delMany(old, copies);
}

/** Forgets what was known of a session. */
export async function dropCopy(session: string): Promise<void> {
  await delMany([session], copies);
  await update<Times>(TIMES, ({ [session]: _, ...rest } = {}) => rest, copies);
}

/** Forgets what was known of all of them. */
export async function dropCopies(): Promise<void> {
  await clear(copies);
}

// A copy that lacks its beginning is only for looking at: the server sends the whole again.
function bounded(copy: Copy): Copy {
  const { messages } = copy.state;
  let first = messages.length;
  for (let size = 0; first > 0 && messages.length - first < MAX_MESSAGES;) {
    size += weigh(messages[first - 1]);
    if (size > MAX_SIZE) break;
    first--;
  }
  if (first === 0) return copy;
  const { position: _, ...rest } = copy;
  const state = {
    ...copy.state,
    messages: messages.slice(first),
    truncated: true,
  };
  return { ...rest, state };
}
