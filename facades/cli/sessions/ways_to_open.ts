import type { Found } from "../../../core/search/search_store.ts";

/** How conversations that another store holds can be opened; a line for each store. `keeps`: they can be copied to the configured one. */
export function waysToOpen(
  found: readonly Found[],
  keeps: boolean,
): readonly string[] {
  const stores = Map.groupBy(found, ({ store }) => store);
  stores.delete(undefined);
  return [...stores].map(([store = "", all]) => {
    const [only, ...more] = all.map(({ summary }) => summary.id);
    const which = more.length === 0 ? only : "<id>";
    const from = /^\w+$/.test(store) ? store : `"${store}"`;
    return keeps
      ? `In ${store}: to open it here, mm sessions copy --from ${from} ${which}`
      : `In ${store}: to open it, set sessions.store: ${store} in agent.yaml`;
  });
}
