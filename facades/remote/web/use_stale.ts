import { useEffect, useState } from "preact/hooks";
import type { Copy } from "../client/mirror.ts";
import type { View } from "../client/view.ts";
import { readCopy } from "./local_copy.ts";

/** The view; until the server told of the session, as this browser knew it. */
export function useStale(view: View | undefined): View | undefined {
  const [copy, setCopy] = useState<Copy>();
  const missing = view && !view.info ? view.session : undefined;
  useEffect(() => {
    if (missing === undefined) return;
    readCopy(missing).then(setCopy, () => {}); // none can be read: there is none
  }, [missing]);
  if (!view || view.info || copy?.session !== view.session) return view;
  return { ...view, state: copy.state };
}
