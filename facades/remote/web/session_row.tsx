import { ago } from "../../../core/summary_line.ts";
import type { Listed } from "../wire.ts";
import { sessionLink } from "./route.ts";
import { count, oneLine } from "./text.ts";

/** A conversation in a list: a link to it. */
export function SessionRow({ session, current, chosen }: {
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
