import type { ConnectionState, View } from "../client/view.ts";
import { oneLine } from "./text.ts";

/** What stands where there is no conversation yet, or none any more. */
export function Welcome({ view, connection, cwd, create }: {
  readonly view: View | undefined;
  readonly connection: ConnectionState;
  /** The project's folder. */
  readonly cwd: string | undefined;
  readonly create: () => void;
}) {
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
      {cwd !== undefined && (
        <p>
          In <bdi class="path">{oneLine(cwd)}</bdi>
        </p>
      )}
    </div>
  );
}
