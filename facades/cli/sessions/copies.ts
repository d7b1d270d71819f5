import { errorLine, UserError } from "../../../core/error.ts";
import { everyStore } from "./every_store.ts";
import { openUse, type StorePlace } from "./store_of.ts";

/** What the other stores have of some conversations. */
export interface Copies {
  /** Their ids, by the name of the store. */
  readonly stores: ReadonlyMap<string, readonly string[]>;
  /** Stores of which that cannot be told; a line each. */
  readonly failed: readonly string[];
}

/** Looks into every store but the configured one for these conversations. */
export async function findCopies(
  where: StorePlace,
  ids: readonly string[],
): Promise<Copies> {
  const stores = new Map<string, readonly string[]>();
  const failed: string[] = [];
  let own: string | undefined; // the same file by other options is no copy
  for (const { use, name } of everyStore(where)) {
    try {
      await using store = await openUse(use, where);
      if (name === undefined) own = store.file;
      if (name === undefined || (own && own === store.file)) continue;
      const { items } = await store.list({ limit: Number.MAX_SAFE_INTEGER });
      const there = items.map(({ id }) => id).filter((id) => ids.includes(id));
      if (there.length > 0) stores.set(name, there);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      failed.push(errorLine(error));
    }
  }
  return { stores, failed };
}

/** Removes what was found. */
export async function removeCopies(
  where: StorePlace,
  { stores }: Copies,
): Promise<void> {
  for (const { use, name } of everyStore(where)) {
    const ids = stores.get(name ?? "");
    if (!ids) continue;
    await using store = await openUse(use, where);
    for (const id of ids) await store.remove(id);
  }
}
