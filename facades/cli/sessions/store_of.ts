import { parse } from "yaml";
import { openStore } from "../../../core/assemble.ts";
import { checkConfig, parseUse, type Use } from "../../../core/config.ts";
import type { ConfigSource } from "../../../core/config.ts";
import { same } from "../../../core/same.ts";
import type { Store } from "../../../core/store.ts";
import type { Loaded } from "../load_config.ts";
import type { Place } from "../place.ts";
import { partsOf } from "../prepare.ts";
import { UsageError } from "../usage_error.ts";

/** Where a store is looked for. */
export interface StorePlace {
  readonly place: Place;
  readonly loaded: Loaded;
}

/**
 * The store that `text` means, as agent.yaml would say it: a name, or
 * `{use: name, …}`. The name alone of the configured store means it with its options.
 */
export function useOf(text: string, { loaded }: StorePlace, by: string): Use {
  if (/\.(db|sqlite3?)$/i.test(text)) {
    throw new UsageError(
      `Cannot read ${by} "${text}": a database is named as "{use: sqlite, path: ${text}}"`,
    );
  }
  const value = read(text, by);
  const { store } = checkConfig({ sessions: { store: value } }, sourceOf(by))
    .sessions;
  const configured = loaded.config.sessions.store;
  return store === parseUse(configured).name ? configured : store;
}

/** Opens a store for conversations of this project. */
export async function openUse(
  use: Use,
  { place, loaded }: StorePlace,
  by = "agent.yaml",
): Promise<Store> {
  const sessions = { enabled: true, store: use };
  const config = { ...loaded.config, sessions };
  const source = same(use, loaded.config.sessions.store)
    ? loaded.source
    : sourceOf(by);
  const store = await openStore(partsOf(place, { ...loaded, source }, config));
  if (store) return store;
  throw new TypeError("Cannot open a store: sessions are disabled");
}

function read(text: string, by: string): unknown {
  try {
    return parse(text, { logLevel: "error" });
  } catch (error) {
    throw new UsageError(
      `Cannot read ${by} "${text}": expected a store's name or {use: name, option: value}`,
      { cause: error },
    );
  }
}

// Errors name the option instead of a file, and a line of it makes no sense.
function sourceOf(by: string): ConfigSource {
  return { file: by, line: () => undefined };
}
