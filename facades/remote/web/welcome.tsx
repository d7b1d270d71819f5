import type { RemoteClient } from "../client/client.ts";
import type { View } from "../client/view.ts";
import { Recent } from "./recent.tsx";
import { oneLine } from "./text.ts";

/** What stands where there is no conversation yet, or none any more. */
export function Welcome({ client, view, wide, create }: {
  readonly client: RemoteClient;
  readonly view: View | undefined;
  /** The list of conversations stands beside. */
  readonly wide: boolean;
  readonly create: () => void;
}) {
  const { connection, hello } = client;
  if (!view) {
    return connection === "online"
      ? (
        <div class="welcome">
          <h2>There is no such conversation</h2>
          <p>It was removed, or it belongs to another project.</p>
          <button type="button" class="primary" onClick={create}>
            Start a new one
          </button>
        </div>
      )
      : null;
  }
  if (!view.info) {
    return connection === "online" || connection === "connecting"
      ? <p class="quiet center">Loading…</p>
      : null;
  }
  return (
    <div class="welcome">
      <img src="/icon.svg" alt="" width="56" height="56" />
      <h2>What shall we do?</h2>
      {hello && (
        <p>
          In <bdi>{oneLine(hello.cwd)}</bdi>
        </p>
      )}
      {!wide && <Recent client={client} />}
    </div>
  );
}
