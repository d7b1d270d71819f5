import { useState } from "preact/hooks";
import { forTab } from "./page_store.ts";

/** What is written and not sent, for each session. A reload of the tab loses none. */
export function useDraft(session: string): [string, (text: string) => void] {
  const key = `mm.draft.${session}`;
  const [draft, setDraft] = useState(() => ({ key, text: stored(key) }));
  const text = draft.key === key ? draft.text : stored(key);
  return [text, (text) => {
    forTab.set(key, text || undefined);
    setDraft({ key, text });
  }];
}

function stored(key: string): string {
  return forTab.get(key) ?? "";
}
