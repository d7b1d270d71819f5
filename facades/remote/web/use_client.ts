/// <reference lib="dom" />
import { useEffect, useReducer } from "preact/hooks";
import type { RemoteClient } from "../client/client.ts";

/** Draws the component again when the client changed: once a frame, for deltas come faster. */
export function useClient(client: RemoteClient): void {
  const [, draw] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    let waiting = false;
    const now = () => {
      waiting = false;
      draw(undefined);
    };
    const unsubscribe = client.subscribe(() => {
      if (waiting) return;
      waiting = true;
      // A page that nobody sees has no frames, but a title.
      if (document.hidden) setTimeout(now, 200);
      else requestAnimationFrame(now);
    });
    draw(undefined); // what happened before the subscription
    return unsubscribe;
  }, [client]);
}
