/// <reference lib="dom" />
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { RemoteClient } from "../client/client.ts";
import type { Listed } from "../wire.ts";

/** How long the typist may pause before it is looked for, in milliseconds. */
const PAUSE = 200;
const PAGE = 50;
/** How often the list is looked at anew: others begin conversations, too. In milliseconds. */
const AGAIN = 30_000;

const AWAY = "The list comes with the connection";

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
  /** Lists them anew. */
  readonly again: () => void;
}

const NONE: Omit<Sessions, "more" | "again"> & { next?: string } = {
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
    if (client.connection !== "online") {
      return setShown((before) => ({
        ...before,
        problem: AWAY,
        loading: false,
      }));
    }
    const show = (change: (before: typeof NONE) => typeof NONE) => {
      if (mine === round.current) setShown(change);
    };
    try {
      const { items, next } = await titles(client, query, cursor);
      show((before) => ({
        items: cursor ? [...before.items, ...items] : items,
        hits: before.hits.filter(isNotAmong(items)),
        problem: undefined,
        loading: query.trim() !== "",
        ...next !== undefined && { next },
      }));
      if (cursor !== undefined) return;
      // Looking into messages takes longer.
      const found = await hits(client, query);
      show((before) => ({
        ...before,
        hits: found.filter(isNotAmong(before.items)),
        loading: false,
      }));
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      show(() => ({ ...NONE, problem, loading: false }));
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
  return {
    ...shown,
    more: next === undefined ? undefined : () => load(next),
    again: () => void load(),
  };
}

async function titles(client: RemoteClient, query: string, cursor?: string) {
  const text = query.trim();
  const { sessions: items = [], next } = await client.send<"list">({
    type: "list",
    limit: PAGE,
    ...text && { text },
    ...cursor !== undefined && { cursor },
  });
  return { items, next };
}

async function hits(client: RemoteClient, query: string) {
  const search = query.trim();
  if (search.length < 2) return [];
  const { sessions = [] } = await client.send<"list">({
    type: "list",
    search,
    limit: 20,
  });
  // A server that does not search lists them all.
  return sessions.filter(({ snippets }) => snippets?.length);
}

function isNotAmong(items: readonly Listed[]) {
  return ({ id }: Listed) => !items.some((item) => item.id === id);
}
