import type { Hit, Store, Summary } from "../store.ts";
import { folded, type Snippet } from "./match.ts";
import { scan } from "./scan.ts";
import type { Found, Wanted } from "./search_store.ts";

/** What is looked for, and of how many conversations nothing is wanted. */
export interface WantedOfIndex extends Wanted {
  /** Conversations that the index may find but that are not in the list. */
  readonly passedOver: number;
}

/**
 * Searches a store by its index. An index knows messages, and words as it cuts
 * them: where it found fewer than wanted, what it cannot know is looked for
 * beside it, and what it would take for something else is not asked of it, so
 * that every store finds the same.
 */
export async function indexed(
  store: Store,
  items: readonly Summary[],
  wanted: WantedOfIndex,
): Promise<readonly Found[]> {
  if (wanted.words.some((word) => BLURRED.test(word))) {
    return (await scan(store, items, wanted)).found;
  }
  const found = await together(store, items, wanted);
  const more = [
    () => inTitles(items, wanted.words),
    () => apart(store, items, wanted.words),
    () => scanned(store, items, wanted),
  ];
  for (const look of more) {
    if (found.length >= wanted.limit) break;
    const known = new Set(found.map(({ summary }) => summary.id));
    const fresh = (await look()).filter((f) => !known.has(f.summary.id));
    found.push(...below(found.at(-1)?.score, fresh));
  }
  return found.slice(0, wanted.limit);
}

// An index holds no signs: to it "C++" is a c, and "a b" an a and a b.
const BLURRED = /^[^\p{L}\p{N}]|[^\p{L}\p{N}\p{M}]$|\s/u;

// All the words in one message: the index alone.
async function together(
  store: Store,
  items: readonly Summary[],
  { words, limit, passedOver }: WantedOfIndex,
): Promise<Found[]> {
  const count = (limit + passedOver) * MESSAGES;
  const hits = await hitsOf(store, words.join(" "), count);
  return byScore(items.flatMap((summary) => {
    const here = hits.get(summary.id);
    return here ? [foundOf(summary, here)] : [];
  }));
}

/** How many messages are looked at for each conversation asked for. */
const MESSAGES = 20;

function inTitles(
  items: readonly Summary[],
  words: readonly string[],
): readonly Found[] {
  return items.filter(({ title }) => words.every((word) => has(title, word)))
    .map((summary) => ({ summary, score: 1, snippets: [] }));
}

// One word here and one there, in messages or the title.
async function apart(
  store: Store,
  items: readonly Summary[],
  words: readonly string[],
): Promise<readonly Found[]> {
  if (words.length < 2) return [];
  const hits = new Map<string, Hit[]>();
  let left = items;
  for (const word of words) {
    if (left.length === 0) return [];
    const here = await hitsOf(store, word, MOST);
    left = left.filter(({ id, title }) => here.has(id) || has(title, word));
    for (const { id } of left) {
      hits.set(id, [...hits.get(id) ?? [], ...here.get(id)?.slice(0, 1) ?? []]);
    }
  }
  return byScore(left.map((s) => foundOf(s, hits.get(s.id) ?? [])));
}

/** Messages that are looked at for one word. */
const MOST = 2000;

// Of a script without spaces an index holds whole phrases as words, and it
// takes Greek accents and final letters for others.
async function scanned(
  store: Store,
  items: readonly Summary[],
  wanted: Wanted,
): Promise<readonly Found[]> {
  if (!wanted.words.some((word) => UNCUT.test(word))) return [];
  return (await scan(store, items, wanted)).found;
}

const UNCUT =
  /[\p{sc=Greek}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

async function hitsOf(
  store: Store,
  text: string,
  limit: number,
): Promise<ReadonlyMap<string, readonly Hit[]>> {
  const hits = new Map<string, Hit[]>();
  for await (const hit of store.search?.({ text, limit }) ?? []) {
    hits.set(hit.id, [...hits.get(hit.id) ?? [], hit]);
  }
  return hits;
}

function has(title: string, word: string): boolean {
  return folded(title).includes(folded(word));
}

function foundOf(summary: Summary, hits: readonly Hit[]): Found {
  const score = Math.max(0, ...hits.map((hit) => hit.score));
  return {
    summary,
    score,
    snippets: hits.slice(0, MAX_SNIPPETS).map(snippetOf),
  };
}

const MAX_SNIPPETS = 3;

function snippetOf({ seq, role, snippet, marks }: Hit): Snippet {
  return { seq, role, text: snippet, marks };
}

function byScore(found: readonly Found[]): Found[] {
  return found.toSorted((a, b) => b.score - a.score);
}

// What is found by other means cannot be weighed against the index: it stands
// behind, in its own order.
function below(
  least: number | undefined,
  found: readonly Found[],
): readonly Found[] {
  const best = Math.max(...found.map(({ score }) => score));
  if (least === undefined || !(best > 0)) return found;
  return found.map((f) => ({ ...f, score: f.score / best * least / 2 }));
}
