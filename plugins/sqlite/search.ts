import type { SessionEvent } from "../../core/event.ts";
import { contentText, type Message } from "../../core/message.ts";
import type { Hit, SearchQuery } from "../../core/store.ts";
import type { Row, Value } from "./database.ts";
import { failure } from "./errors.ts";
import { lightOf } from "./log.ts";
import type { Readers } from "./readers.ts";
import { said } from "./rows.ts";
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
  const event = tryParse(String(data));
  const best = event && bestOf(said(event, placeOf(gone)), query);
  if (!best) return undefined; // a damaged row: whoever reads the session is told
  const { message, ...snippet } = best;
  // What was restored whole has messages with places and times of their own.
  const { seq, at } = { ...event, ...message };
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

function bestOf(messages: readonly Message[], query: string) {
  const [best] = messages
    .map((message) => ({
      message,
      ...snippetOf(contentText(message.content), query),
    }))
    .sort((a, b) => b.marks.length - a.marks.length);
  return best;
}

function tryParse(json: string): SessionEvent | undefined {
  try {
    return JSON.parse(json);
  } catch {
    return undefined; // see above
  }
}
