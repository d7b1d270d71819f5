import type { View } from "../client/view.ts";

/** That a turn is under way, and what it waits for. */
export function Working({ view }: { readonly view: View }) {
  const open = view.approvals.some(({ decision }) => !decision);
  return (
    <p class="working">
      <span class="pulse" aria-hidden="true" />
      {open ? "Waiting for an answer" : "Working"}
      {view.info && view.info.waiting > 0 && ` · ${view.info.waiting} waiting`}
    </p>
  );
}
