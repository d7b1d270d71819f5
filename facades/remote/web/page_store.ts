/// <reference lib="dom" />

/** What a browser keeps of small things. One that is full, or keeps nothing, is no reason to stop. */
export interface PageStore {
  get(key: string): string | undefined;
  /** Undefined forgets it. */
  set(key: string, value: string | undefined): void;
  /** Forgets all that is mm's. */
  clear(): void;
}

/** Kept until it is forgotten. */
export const forever: PageStore = storeOf(() => localStorage);

/** Kept as long as the tab. */
export const forTab: PageStore = storeOf(() => sessionStorage);

// Where storage is switched off, looking at it throws.
function storeOf(storage: () => Storage): PageStore {
  return {
    get(key) {
      try {
        return storage().getItem(key) ?? undefined;
      } catch {
        return undefined;
      }
    },
    set(key, value) {
      try {
        if (value === undefined) storage().removeItem(key);
        else storage().setItem(key, value);
      } catch {
        // It is lost with the page.
      }
    },
    clear() {
      try {
        for (const key of Object.keys(storage())) {
          if (key.startsWith("mm.")) storage().removeItem(key);
        }
      } catch {
        // Nothing was kept.
      }
    },
  };
}
