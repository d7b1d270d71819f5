import {
  contentText,
  type Message,
  type StoredMessage,
} from "../../core/message.ts";
import { folded } from "../../core/search/match.ts";
import type { Hit, SearchQuery } from "../../core/store.ts";
import type { Row, Value } from "./database.ts";
import { failure } from "./errors.ts";
import { lightOf } from "./log.ts";
import type { Readers } from "./readers.ts";
import { said, storedIn } from "./rows.ts";
import { matchQuery, snippetOf } from "./snippet.ts";
import { GONE } from "./text_index.ts";

/** What was said, best first. */
export async function* search(
  readers: Readers,
  { text, limit = DEFAULT_LIMIT }: SearchQuery,
  signal?: AbortSignal,
): AsyncGenerator<Hit> {
  const match = matchQuery(text);
  if (match === "") return;
  const rows = await rowsOf(readers, match, Math.max(1, limit), signal);
  for (const row of rows) {
    const hit = hitOf(row, text);
    if (hit) yield hit;
  }
}

const DEFAULT_LIMIT = 20;

async function rowsOf(
  readers: Readers,
  match: string,
  limit: number,
  signal?: AbortSignal,
): Promise<readonly Row[]> {
  try {
    return await readers.all(SEARCH, [match, limit], signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw failure("search the sessions", error);
  }
}

// First the best places, then what stands there: only few events are read.
const SEARCH = `
SELECT found.rank AS rank, s.id AS id, s.gist AS gist, e.data AS data, ${GONE} AS gone
FROM (
  SELECT rowid, rank FROM message_text
  WHERE message_text MATCH ? ORDER BY rank LIMIT ?
) AS found
JOIN events AS e ON e.id = found.rowid
JOIN sessions AS s ON s.id = e.session_id
ORDER BY found.rank`;

function hitOf(row: Row, query: string): Hit | undefined {
  const { rank, id, gist, data, gone } = row;
  const stored = storedIn(String(data));
  const best = stored && bestOf(said(stored, placeOf(gone)), query);
  if (!best) return undefined; // a damaged row: whoever reads the session is told
  const { message, exact: _, ...snippet } = best;
  // What was restored whole has messages with places and times of their own.
  const { seq, at } = { ...stored, ...message } as StoredMessage;
  return {
    id: String(id),
    title: lightOf(String(gist))?.title ?? "",
    seq,
    at,
    role: message.role,
    ...snippet,
    score: -Number(rank),
  };
}

function placeOf(gone: Value | undefined): number | undefined {
  return typeof gone === "number" ? gone : undefined;
}

// The words as they were asked for count more than what begins like them.
function bestOf(messages: readonly Message[], query: string) {
  const words = folded(query).split(/\s+/);
  const [best] = messages
    .map((message) => {
      const text = contentText(message.content);
      const whole = folded(text);
      const exact = words.filter((word) => whole.includes(word)).length;
      return { message, exact, ...snippetOf(text, query) };
    })
    .sort((a, b) => b.exact - a.exact || b.marks.length - a.marks.length);
  return best;
}
