import type { RemoteClient } from "../client/client.ts";
import { SessionRow } from "./session_row.tsx";
import { useSessions } from "./use_sessions.ts";

/** How many conversations are offered. */
const MAX = 4;

/** The latest conversations, where there is no list beside the page. */
export function Recent({ client }: { readonly client: RemoteClient }) {
  const { items } = useSessions(client, "", client.connection);
  const readable = items.filter(({ unreadable }) => unreadable === undefined);
  if (readable.length === 0) return null;
  return (
    <section class="recent" aria-label="Latest conversations">
      <ul role="list">
        {readable.slice(0, MAX).map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            current={false}
            chosen={nothing}
          />
        ))}
      </ul>
    </section>
  );
}

function nothing(): void {}
