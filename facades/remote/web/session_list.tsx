import { useState } from "preact/hooks";
import { ago } from "../../../core/summary_line.ts";
import type { RemoteClient } from "../client/client.ts";
import type { Listed } from "../wire.ts";
import { Icon } from "./icon.tsx";
import { sessionLink } from "./route.ts";
import { count, oneLine } from "./text.ts";
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
    <Row
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

function Row({ session, current, chosen }: {
  readonly session: Listed;
  readonly current: boolean;
  readonly chosen: () => void;
}) {
  const { id, title, turns, errors, updatedAt, running } = session;
  const { unreadable, snippets } = session;
  if (unreadable !== undefined) {
    return (
      <li class="row unreadable">
        <bdi class="row-title">{oneLine(title) || id}</bdi>
        <small>Cannot be read: {oneLine(unreadable)}</small>
      </li>
    );
  }
  return (
    <li class="row">
      <a
        href={sessionLink(id)}
        aria-current={current ? "page" : undefined}
        onClick={chosen}
      >
        <bdi class="row-title">{oneLine(title) || "New conversation"}</bdi>
        {snippets?.slice(0, 2).map((snippet, i) => (
          <bdi class="snippet" key={i}>{oneLine(snippet)}</bdi>
        ))}
        <small>
          {running && <span class="live">running</span>}
          {running && " · "}
          {turns > 0 && `${count(turns, "turn")} · `}
          {ago(updatedAt, new Date())}
          {errors > 0 && ` · ${count(errors, "error")}`}
        </small>
      </a>
    </li>
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
