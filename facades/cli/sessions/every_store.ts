import { parseUse, type Use } from "../../../core/config.ts";
import { same } from "../../../core/same.ts";
import { keepers } from "../../../plugins/table.ts";
import type { StorePlace } from "./store_of.ts";

/** A store in which this project may have conversations. */
export interface SomeStore {
  readonly use: Use;
  /** As `--from` takes it; undefined for the configured store. */
  readonly name: string | undefined;
}

/** The configured store, and every other one in which this project may have left conversations. */
export function everyStore({ loaded }: StorePlace): readonly SomeStore[] {
  const { enabled, store } = loaded.config.sessions;
  const name = enabled ? parseUse(store).name : undefined;
  // The usual place of a store may be another than the configured one of its kind.
  const others = keepers.map((keeper) =>
    keeper === name
      ? { use: { use: keeper }, name: `{use: ${keeper}}` }
      : { use: keeper, name: keeper }
  );
  if (!enabled) return others;
  return [
    { use: store, name: undefined },
    ...others.filter(({ use }) => !same(parseUse(use), parseUse(store))),
  ];
}
