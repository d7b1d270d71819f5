import { ConfigError, errorLine, UserError } from "../../../core/error.ts";
import {
  type Found,
  type FoundInStore,
  searchStore,
  type Wanted,
} from "../../../core/search/search_store.ts";
import { everyStore, type SomeStore } from "./every_store.ts";
import { openUse, type StorePlace } from "./store_of.ts";

/** What was found in all stores. */
export interface FoundAnywhere {
  /** Best first. */
  readonly found: readonly Found[];
  /** What was not searched, and why; a line each. */
  readonly left: readonly string[];
  /** Stores that could not be searched; a line each. */
  readonly failed: readonly string[];
  /** Whether the configured store keeps what is copied into it. */
  readonly keeps: boolean;
}

/**
 * Searches the configured store, and every other one in which this project
 * may have left conversations. What is in several counts where it comes first.
 */
export async function searchAll(
  where: StorePlace,
  wanted: Wanted,
): Promise<FoundAnywhere> {
  const parts: Part[] = [];
  const left: string[] = [];
  const failed: string[] = [];
  const known = new Set<string>();
  for (const place of everyStore(where)) {
    try {
      const part = await searchPlace(place, { where, wanted, known });
      parts.push(part);
      if (part.unreadable > 0) left.push(leftOut(part));
    } catch (error) {
      if (!isOfStore(error, place)) throw error;
      failed.push(errorLine(error));
    }
  }
  return {
    found: ranked(parts).slice(0, wanted.limit),
    left,
    failed,
    keeps: parts.some(({ name, durable }) => name === undefined && durable),
  };
}

interface Part extends FoundInStore {
  readonly name: string | undefined;
  readonly durable: boolean;
  /** Scores can be compared with those of the same scale. */
  readonly scale: string;
}

async function searchPlace(
  { use, name }: SomeStore,
  { where, wanted, known }: {
    readonly where: StorePlace;
    readonly wanted: Wanted;
    readonly known: Set<string>;
  },
): Promise<Part> {
  await using store = await openUse(use, where);
  const { found, unreadable } = await searchStore(store, wanted, known);
  return {
    found: name === undefined
      ? found
      : found.map((one) => ({ ...one, store: name })),
    unreadable,
    name,
    durable: store.supports.durable,
    scale: store.search ? `index of ${name}` : "scan",
  };
}

function leftOut({ unreadable, name }: Part): string {
  const count = `${unreadable} not searched, unreadable`;
  return name === undefined
    ? `${count}: see mm doctor`
    : `${count}, in ${name}`;
}

// A wrong configuration is told as ever: nothing is right before it is mended.
function isOfStore(error: unknown, { name }: SomeStore): boolean {
  return error instanceof UserError &&
    !(error instanceof ConfigError && name === undefined);
}

// What counts matches and what weighs them in an index cannot be compared but
// by their places: the best of each scale is 1.
function ranked(parts: readonly Part[]): readonly Found[] {
  const scales = Map.groupBy(parts, ({ scale }) => scale);
  const all = [...scales.values()].flatMap((same) => {
    const found = same.flatMap((part) => part.found);
    const best = Math.max(...found.map(({ score }) => score));
    return best > 0
      ? found.map((one) => ({ ...one, score: one.score / best }))
      : found;
  });
  return all.sort((a, b) => b.score - a.score);
}
