import type { RemoteClient } from "../client/client.ts";
import type { Listed } from "../wire.ts";
import { Confirm } from "./confirm.tsx";
import { dropCopy } from "./local_copy.ts";
import { oneLine } from "./text.ts";

/** Asks whether a conversation may go, and has the server remove it. */
export function DeleteSession({ client, session, done, failed, close }: {
  readonly client: RemoteClient;
  readonly session: Listed;
  /** It is gone. */
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
  readonly close: () => void;
}) {
  const { id, title, running } = session;
  const remove = async () => {
    try {
      await client.send<"delete">({ type: "delete", session: id });
      await dropCopy(id).catch(() => {}); // a browser that keeps nothing
      done();
    } catch (error) {
      failed(error);
    }
  };
  const stops = running ? "What runs in it is stopped. " : "";
  return (
    <Confirm
      title={`Delete “${oneLine(title) || "New conversation"}”?`}
      text={`${stops}It is removed from the server for good, for all screens.`}
      action="Delete"
      yes={() => void remove()}
      close={close}
    />
  );
}
