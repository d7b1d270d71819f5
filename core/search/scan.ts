import { UnreadableError } from "../error.ts";
import type { SessionState } from "../fold.ts";
import type { Store, Summary } from "../store.ts";
import { matches } from "./match.ts";
import type { Found, FoundInStore, Wanted } from "./search_store.ts";

/** Searches a store that has no index: one conversation at a time, and the best so far, is all that is held. */
export async function scan(
  store: Store,
  items: readonly Summary[],
  { words, limit }: Wanted,
): Promise<FoundInStore> {
  const found: Found[] = [];
  let unreadable = 0;
  for (const summary of items) {
    const state = await readable(store, summary);
    if (!state) unreadable++;
    const match = state && matches(state, words);
    if (!match) continue;
    found.push({ summary, ...match });
    found.sort((a, b) => b.score - a.score);
    found.length = Math.min(found.length, limit);
  }
  return { found, unreadable };
}

async function readable(
  store: Store,
  { id, unreadable }: Summary,
): Promise<SessionState | undefined> {
  if (unreadable !== undefined) return undefined;
  try {
    return await store.read(id);
  } catch (error) {
    if (error instanceof UnreadableError) return undefined;
    throw error;
  }
}
