/// <reference lib="dom" />
import { useEffect } from "preact/hooks";
import type { View } from "../client/view.ts";
import { oneLine } from "./text.ts";

/** Names the tab after the conversation; how many answers it waits for stands first. */
export function usePageTitle(view: View | undefined): void {
  const open = view?.approvals.filter(({ decision }) => !decision).length ?? 0;
  const name = oneLine(view?.state.title ?? "");
  const title = `${open > 0 ? `(${open}) ` : ""}${name ? `${name} – ` : ""}mm`;
  useEffect(() => {
    document.title = title;
  }, [title]);
}
