import type { RemoteClient } from "../client/client.ts";
import type { Decide } from "./approval_card.tsx";

/** What an item may do. The same object for all of a page's life. */
export interface Actions {
  readonly decide: Decide;
  readonly again: (id: string) => void;
  readonly forget: (id: string) => void;
}

/** What the items of a conversation do; `fail` shows what went wrong with it. */
export function makeActions(
  client: RemoteClient,
  fail: (error: unknown) => void,
): Actions {
  return {
    decide: async (request, { outcome, reason }) => {
      const session = client.view?.session;
      if (session === undefined) return;
      try {
        await client.send<"approve">({
          type: "approve",
          session,
          request: request.id,
          outcome,
          ...reason !== undefined && { reason },
        });
      } catch (error) {
        fail(error);
        throw error;
      }
    },
    again: (id) => void client.again(id).catch(() => {}), // it stays at the bubble
    forget: (id) => client.forget(id),
  };
}
