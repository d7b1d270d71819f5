import type { Hit, Store, Summary } from "../store.ts";
import type { Match, Snippet } from "./match.ts";
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
  return {
    found: await indexed(store, fresh, {
      ...wanted,
      passedOver: items.length - fresh.length,
    }),
    unreadable: fresh.filter((s) => s.unreadable !== undefined).length,
  };
}

// The store finds messages; here those of one conversation stand together.
async function indexed(
  store: Store,
  items: readonly Summary[],
  { words, limit, passedOver }: Wanted & { readonly passedOver: number },
): Promise<readonly Found[]> {
  const summaries = new Map(items.map((s) => [s.id, s]));
  const hits = new Map<string, Hit[]>();
  const query = {
    text: words.join(" "),
    limit: (limit + passedOver) * MESSAGES,
  };
  for await (const hit of store.search?.(query) ?? []) {
    hits.set(hit.id, [...hits.get(hit.id) ?? [], hit]);
  }
  const found = [...hits].flatMap(([id, all]) => {
    const summary = summaries.get(id);
    const score = Math.max(...all.map((h) => h.score));
    const snippets = all.slice(0, MAX_SNIPPETS).map(snippetOf);
    return summary ? [{ summary, score, snippets }] : []; // removed meanwhile
  });
  return found.sort((a, b) => b.score - a.score).slice(0, limit);
}

/** How many messages are looked at for each conversation asked for. */
const MESSAGES = 20;

const MAX_SNIPPETS = 3;

function snippetOf({ seq, role, snippet, marks }: Hit): Snippet {
  return { seq, role, text: snippet, marks };
}
