import { useState } from "preact/hooks";
import type { RemoteClient } from "../client/client.ts";
import type { Listed } from "../wire.ts";
import { DeleteSession } from "./delete_session.tsx";
import { ForgetButton } from "./forget_button.tsx";
import { Icon } from "./icon.tsx";
import { SessionRow } from "./session_row.tsx";
import { type Sessions, useSessions } from "./use_sessions.ts";

/** All conversations, newest first, and a field to search them. */
export function SessionList(
  { client, about, current, chosen, create, forget }: {
    readonly client: RemoteClient;
    /** Another value: the list may have changed. */
    readonly about: string;
    readonly current: string | undefined;
    /** Hears that one was chosen; the link itself does the rest. */
    readonly chosen: () => void;
    readonly create: () => void;
    /** Leaves nothing behind on this machine. */
    readonly forget: () => void;
  },
) {
  const [query, setQuery] = useState("");
  const [doomed, setDoomed] = useState<Listed>();
  const [problem, setProblem] = useState<string>();
  const sessions = useSessions(client, query, about);
  // Esc leaves the search, and stops no turn.
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    if (query) {
      event.preventDefault();
      setQuery("");
    } else document.getElementById("message")?.focus();
  };
  return (
    <div class="sessions">
      <div class="sessions-top">
        <button type="button" class="new" onClick={create}>
          <Icon name="plus" /> New conversation
        </button>
        <input
          type="search"
          value={query}
          placeholder="Search"
          aria-label="Search conversations"
          autocomplete="off"
          onInput={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={pressed}
        />
      </div>
      <div class="sessions-scroll">
        <Rows
          sessions={sessions}
          current={current}
          chosen={chosen}
          remove={setDoomed}
        />
        <p class="quiet center" role="status">
          {problem ?? summary(sessions, query)}
        </p>
      </div>
      <footer class="sessions-end">
        <ForgetButton unsent={client.pending.length} forget={forget} />
      </footer>
      {doomed && (
        <DeleteSession
          client={client}
          session={doomed}
          done={() => {
            setProblem(undefined);
            sessions.again();
            if (doomed.id === current) create();
          }}
          failed={(error) =>
            setProblem(error instanceof Error ? error.message : String(error))}
          close={() => setDoomed(undefined)}
        />
      )}
    </div>
  );
}

function Rows({ sessions: { items, hits, more }, current, chosen, remove }: {
  readonly sessions: Sessions;
  readonly current: string | undefined;
  readonly chosen: () => void;
  readonly remove: (session: Listed) => void;
}) {
  const row = (session: Listed) => (
    <SessionRow
      key={session.id}
      session={session}
      current={session.id === current}
      chosen={chosen}
      remove={() => remove(session)}
    />
  );
  return (
    <>
      <ul role="list">{items.map(row)}</ul>
      {more && <button type="button" class="link" onClick={more}>More</button>}
      {hits.length > 0 && (
        <>
          <h3>In messages</h3>
          <ul role="list">{hits.map(row)}</ul>
        </>
      )}
    </>
  );
}

function summary(
  { items, hits, problem, loading }: Sessions,
  query: string,
): string {
  if (problem !== undefined) return problem;
  if (loading || items.length + hits.length > 0) return "";
  return query ? "Nothing was found" : "No conversations yet";
}
