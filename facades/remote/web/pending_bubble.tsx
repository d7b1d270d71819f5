import type { Pending } from "../client/view.ts";
import type { Actions } from "./actions.ts";
import { clean } from "./text.ts";
import { UserBubble } from "./user_bubble.tsx";

/** A message on its way: it looks so until the record has it. */
export function PendingBubble(
  { pending: { id, content, refused }, actions, offline }: {
    readonly pending: Pending;
    readonly actions: Actions;
    readonly offline: boolean;
  },
) {
  return (
    <>
      <UserBubble content={content} />
      {refused === undefined
        ? (
          <p class="sending">
            {offline ? "Sent when there is a connection" : "Sending…"}
          </p>
        )
        : (
          <p class="sending refused">
            <span>Not sent: {clean(refused)}</span>
            <button type="button" onClick={() => actions.again(id)}>
              Try again
            </button>
            <button type="button" onClick={() => actions.forget(id)}>
              Discard
            </button>
          </p>
        )}
    </>
  );
}
