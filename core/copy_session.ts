import { continues as goesOn } from "./continues.ts";
import { ConflictError, errorLine, UnreadableError } from "./error.ts";
import type { SessionEvent } from "./event.ts";
import type { SessionState } from "./fold.ts";
import { isId, newId } from "./id.ts";
import { same } from "./same.ts";
import type { Store } from "./store.ts";

/** How the copying of one conversation ended. */
export type CopyStatus =
  | "copied"
  | "updated" // the other store had an earlier state of it
  | "same"
  | "newer" // the other store has a later state of it
  | "different"
  | "unreadable"
  | "failed";

/** What became of one conversation; `reason` where it is not in the other store now. */
export interface Copied {
  /** The conversation's id, in both stores. */
  readonly id: string;
  /** How it ended. */
  readonly status: CopyStatus;
  /** Why it was not copied. */
  readonly reason?: string;
}

/** Tells whether the other store now holds all that was to be copied. */
export function isCopied({ status }: Copied): boolean {
  return status === "copied" || status === "updated" || status === "same" ||
    status === "newer";
}

/** Tells whether the first state is the second one gone on. */
export type Continues = (later: SessionState, earlier: SessionState) => boolean;

/** What is copied by. */
export interface CopyRules {
  /** Default: by the events that mm itself recorded. */
  readonly continues?: Continues;
}

/**
 * Brings a conversation into another store and reads it back: what counts as
 * copied has an equal fold there. It never overwrites one that is different,
 * and takes the place of an earlier state only after the new one was verified.
 */
export async function copySession(
  id: string,
  from: Store,
  to: Store,
  { continues = goesOn }: CopyRules = {},
): Promise<Copied> {
  const place = { id, to, continues };
  try {
    return await copyOnce(from, place);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
  }
  // Somebody else wrote there: what it brought may be what was to be copied.
  try {
    return await copyOnce(from, place);
  } catch (error) {
    return { id, status: "failed", reason: errorLine(error) };
  }
}

async function copyOnce(from: Store, place: Place): Promise<Copied> {
  const { id, to } = place;
  if (!isId(id)) {
    return { id, status: "unreadable", reason: "it was set aside" };
  }
  const source = await readable(from, id);
  if (typeof source === "string") {
    return { id, status: "unreadable", reason: source };
  }
  if (!source) return { id, status: "failed", reason: "it is gone" };
  const target = await readable(to, id);
  if (typeof target === "string") {
    const reason = `the one in ${to.name} cannot be read: ${target}`;
    return { id, status: "failed", reason };
  }
  try {
    return { id, ...await bring(source, target, place) };
  } catch (error) {
    if (error instanceof ConflictError) throw error;
    return { id, status: "failed", reason: errorLine(error) };
  }
}

interface Place {
  readonly id: string;
  readonly to: Store;
  readonly continues: Continues;
}

async function bring(
  source: SessionState,
  target: SessionState | undefined,
  place: Place,
): Promise<Omit<Copied, "id">> {
  if (!target) return await write(source, place, "copied");
  const { continues } = place;
  if (same(source, target)) return { status: "same" };
  // First: a transcript may say the same under another title.
  if (continues(source, target)) return await update(source, target, place);
  if (continues(target, source)) return { status: "newer" };
  const reason = `${place.to.name} has another conversation of this id`;
  return { status: "different", reason };
}

// The earlier state keeps another id until the later one is there.
async function update(
  source: SessionState,
  earlier: SessionState,
  place: Place,
): Promise<Omit<Copied, "id">> {
  const { id, to, continues } = place;
  const aside = newId(new Date(source.createdAt || 0));
  await to.move(id, aside);
  try {
    const result = await attempt(() => write(source, place, "updated"));
    if (result.status === "updated") await to.remove(aside);
    else await to.move(aside, id);
    return result;
  } catch (error) {
    // What somebody else put in its place makes it needless, or is another.
    const there = await readable(to, id);
    const needless = typeof there === "object" && continues(there, earlier);
    if (needless) await to.remove(aside);
    throw error;
  }
}

async function write(
  source: SessionState,
  { id, to }: Place,
  status: CopyStatus,
): Promise<Omit<Copied, "id">> {
  const { seq, updatedAt: at } = source;
  if (to.expires?.({ updatedAt: at })) {
    const reason = `${to.name} would remove it: nobody touched it for too long`;
    return { status: "failed", reason };
  }
  const whole: SessionEvent = { type: "restored", seq, at, state: source };
  await to.append(id, [whole]);
  const written = await to.read(id);
  if (same(written, source)) return { status };
  // Somebody else has gone on with it already.
  if (written && goesOn(written, source)) return { status };
  // What is there is ours alone, and not what it should be.
  if (written?.seq === seq) await to.remove(id);
  const reason = to.supports.bounded
    ? `it does not fit: ${to.name} keeps the newest events alone`
    : `${to.name} does not read what was written`;
  return { status: "failed", reason };
}

async function attempt(
  work: () => Promise<Omit<Copied, "id">>,
): Promise<Omit<Copied, "id">> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConflictError) throw error; // another process has it now
    return { status: "failed", reason: errorLine(error) };
  }
}

// A string says why it cannot be read.
async function readable(
  store: Store,
  id: string,
): Promise<SessionState | string | undefined> {
  try {
    return await store.read(id);
  } catch (error) {
    if (error instanceof UnreadableError) return errorLine(error);
    throw error;
  }
}
