import { useState } from "preact/hooks";
import type { RemoteClient } from "../client/client.ts";
import type { Listed } from "../wire.ts";
import { Icon } from "./icon.tsx";
import { SessionRow } from "./session_row.tsx";
import { type Sessions, useSessions } from "./use_sessions.ts";

/** All conversations, newest first, and a field to search them. */
export function SessionList({ client, about, current, chosen, create }: {
  readonly client: RemoteClient;
  /** Another value: the list may have changed. */
  readonly about: string;
  readonly current: string | undefined;
  /** Hears that one was chosen; the link itself does the rest. */
  readonly chosen: () => void;
  readonly create: () => void;
}) {
  const [query, setQuery] = useState("");
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
        <Rows sessions={sessions} current={current} chosen={chosen} />
        <p class="quiet center" role="status">{summary(sessions, query)}</p>
      </div>
    </div>
  );
}

function Rows({ sessions: { items, hits, more }, current, chosen }: {
  readonly sessions: Sessions;
  readonly current: string | undefined;
  readonly chosen: () => void;
}) {
  const row = (session: Listed) => (
    <SessionRow
      key={session.id}
      session={session}
      current={session.id === current}
      chosen={chosen}
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
