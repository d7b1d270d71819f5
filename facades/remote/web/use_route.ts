/// <reference lib="dom" />
import { useEffect } from "preact/hooks";
import type { RemoteClient } from "../client/client.ts";
import type { View } from "../client/view.ts";
import { show } from "./page_client.ts";
import { nameSession, routeSession } from "./route.ts";
import { takeToken, tokenIn } from "./token.ts";

/** The address and the session that is shown follow each other. Returns how to begin a new one. */
export function useRoute(
  client: RemoteClient,
  view: View | undefined,
  failed: (error: unknown) => void,
): () => void {
  useEffect(() => {
    const changed = () => {
      // Another link of mm serve, opened in the same tab.
      if (tokenIn(location.hash) !== undefined) {
        takeToken();
        return location.reload();
      }
      const session = routeSession();
      if (session === client.view?.session) return;
      (session === undefined ? client.create() : show(client, session))
        .catch(failed);
    };
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, [client]);

  // A conversation without a question has no name that would lead back to it.
  const named = view && (view.state.seq > 0 || view.pending.length > 0)
    ? view.session
    : undefined;
  useEffect(() => {
    if (named !== undefined) nameSession(named);
  }, [named]);

  return () => {
    if (location.hash === "" || location.hash === NEW) {
      client.create().catch(failed);
    } else location.hash = NEW;
  };
}

const NEW = "#/new";
