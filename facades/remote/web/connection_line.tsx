import type { ConnectionState } from "../client/view.ts";

/** How the connection is, while it is not as it should be. */
export function ConnectionLine({ connection, problem, copied, wake }: {
  readonly connection: ConnectionState;
  readonly problem: string | undefined;
  /** What is shown is what this browser kept. */
  readonly copied: boolean;
  readonly wake: () => void;
}) {
  return (
    <div role="status" class={`connection ${connection}`}>
      {connection !== "online" && (
        <p>
          <span class="dot" />
          <span>
            {words(connection, problem)}
            {copied && " This is what was kept here."}
          </span>
          {connection === "offline" && (
            <button type="button" class="link" onClick={wake}>Try now</button>
          )}
        </p>
      )}
    </div>
  );
}

function words(
  connection: ConnectionState,
  problem: string | undefined,
): string {
  if (connection === "connecting") return "Connecting…";
  const why = problem ? `: ${problem.replace(/\.$/, "")}` : "";
  return connection === "offline"
    ? `Offline${why}. Reconnecting…`
    : `The server refused this page${why}.`;
}
