/// <reference lib="dom" />
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { RemoteClient } from "../client/client.ts";
import type { Listed } from "../wire.ts";

/** How long the typist may pause before it is looked for, in milliseconds. */
const PAUSE = 200;
const PAGE = 50;
/** How often the list is looked at anew: others begin conversations, too. In milliseconds. */
const AGAIN = 30_000;

/** What a list of conversations shows. */
export interface Sessions {
  readonly items: readonly Listed[];
  /** Conversations in which the words stand. */
  readonly hits: readonly Listed[];
  /** Why there is no list. */
  readonly problem: string | undefined;
  readonly loading: boolean;
  /** Brings the next page, when there is one. */
  readonly more: (() => void) | undefined;
}

const NONE: Omit<Sessions, "more"> & { next?: string } = {
  items: [],
  hits: [],
  problem: undefined,
  loading: true,
};

/** The conversations whose title or messages hold `query`; listed again when `about` is another. */
export function useSessions(
  client: RemoteClient,
  query: string,
  about: string,
): Sessions {
  const [{ next, ...shown }, setShown] = useState(NONE);
  const round = useRef(0);
  const load = useCallback(async (cursor?: string) => {
    const mine = ++round.current;
    try {
      const found = await find(client, query, cursor);
      if (mine !== round.current) return;
      setShown((before) => ({
        ...found,
        items: cursor ? [...before.items, ...found.items] : found.items,
        hits: cursor ? before.hits : found.hits,
        problem: undefined,
        loading: false,
      }));
    } catch (error) {
      if (mine !== round.current) return;
      const problem = error instanceof Error ? error.message : String(error);
      setShown({ ...NONE, problem, loading: false });
    }
  }, [client, query]);
  useEffect(() => {
    const timer = setTimeout(() => load(), query ? PAUSE : 0);
    const again = setInterval(() => {
      if (!document.hidden && client.connection === "online") load();
    }, AGAIN);
    return () => {
      clearTimeout(timer);
      clearInterval(again);
    };
  }, [load, about]);
  return { ...shown, more: next === undefined ? undefined : () => load(next) };
}

async function find(client: RemoteClient, query: string, cursor?: string) {
  const text = query.trim();
  const [titles, hits] = await Promise.all([
    client.send<"list">({
      type: "list",
      limit: PAGE,
      ...text && { text },
      ...cursor !== undefined && { cursor },
    }),
    text.length > 1 && cursor === undefined
      ? client.send<"list">({ type: "list", search: text, limit: 20 })
      : undefined,
  ]);
  const items = titles.sessions ?? [];
  const { next } = titles;
  return {
    items,
    // A server that does not search lists them all.
    hits: (hits?.sessions ?? []).filter(({ id, snippets }) =>
      snippets?.length && !items.some((item) => item.id === id)
    ),
    ...next !== undefined && { next },
  };
}
