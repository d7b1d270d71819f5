import { ago } from "../../../core/summary_line.ts";
import type { Listed } from "../wire.ts";
import { Icon } from "./icon.tsx";
import { sessionLink } from "./route.ts";
import { count, oneLine } from "./text.ts";

/** A conversation in a list: a link to it, and the way to be rid of it. */
export function SessionRow({ session, current, chosen, remove }: {
  readonly session: Listed;
  readonly current: boolean;
  readonly chosen: () => void;
  /** Asks whether it may go; undefined where that is not offered. */
  readonly remove?: () => void;
}) {
  const { id, title, turns, errors, updatedAt, running } = session;
  const { unreadable, snippets } = session;
  const name = oneLine(title) || "New conversation";
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
        onKeyDown={(event) => {
          if (event.key === "Delete") remove?.();
        }}
      >
        <bdi class="row-title">{name}</bdi>
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
      {remove && (
        <button
          type="button"
          class="plain"
          aria-label={`Delete: ${name}`}
          title="Delete (Del)"
          onClick={remove}
        >
          <Icon name="delete" />
        </button>
      )}
    </li>
  );
}
