import { UnreadableError, UserError } from "../error.ts";
import type { Store, Summary } from "../store.ts";
import { indexed } from "./indexed.ts";
import type { Match } from "./match.ts";
import { scan } from "./scan.ts";

/** What is looked for. */
export interface Wanted {
  readonly words: readonly string[];
  /** Conversations at most. */
  readonly limit: number;
}

/** A conversation that was found. */
export interface Found extends Match {
  readonly summary: Summary;
  /** Where it is, as `--from` takes it; absent when that is the configured store. */
  readonly store?: string;
}

/** What one store has of it, best first. */
export interface FoundInStore {
  readonly found: readonly Found[];
  /** Conversations that could not be searched. */
  readonly unreadable: number;
}

/** Searches one store: by its index, else conversation by conversation. Leaves out the ids in `known`, and adds its own. */
export async function searchStore(
  store: Store,
  wanted: Wanted,
  known: Set<string>,
): Promise<FoundInStore> {
  const { items } = await store.list({ limit: Number.MAX_SAFE_INTEGER });
  const fresh = items.filter(({ id }) => !known.has(id));
  for (const { id, unreadable } of fresh) {
    if (unreadable === undefined) known.add(id);
  }
  if (fresh.length === 0) return { found: [], unreadable: 0 };
  if (!store.search) return await scan(store, fresh, wanted);
  try {
    return {
      found: await indexed(store, fresh, {
        ...wanted,
        passedOver: items.length - fresh.length,
      }),
      unreadable: fresh.filter((s) => s.unreadable !== undefined).length,
    };
  } catch (error) {
    // An index may have to be written first: on a full disk, or while another
    // process writes, all can still be read.
    const passing = error instanceof UserError &&
      !(error instanceof UnreadableError);
    if (!passing) throw error;
    return await scan(store, fresh, wanted);
  }
}
