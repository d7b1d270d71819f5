import type { Exchange } from "./exchange.ts";
import { tryParse } from "../json.ts";
import { type ServerEvent, serverEvents } from "./sse.ts";

/** A piece of a streamed answer, or the one JSON object a server sent instead. */
export type Answer =
  | { readonly type: "event"; readonly name: string; readonly value: unknown }
  | { readonly type: "done" }
  | { readonly type: "whole"; readonly value: unknown };

/**
 * Yields a successful answer, parsed. Whatever no model server sends (a web
 * page, nothing, a chunk that is not JSON) throws a ModelError.
 */
export async function* answers(http: Exchange): AsyncGenerator<Answer> {
  if (/\bjson$/.test(http.media)) {
    return yield { type: "whole", value: await http.json() };
  }
  if (http.media !== "text/event-stream") {
    throw http.notAModel(await http.text(64 * 1024, true));
  }
  let any = false;
  try {
    for await (const event of serverEvents(http.chunks())) {
      any = true;
      yield parse(http, event);
    }
  } catch (error) {
    if (error instanceof RangeError) throw http.protocol(error.message);
    throw error;
  }
  if (any) return;
  const value = tryParse(http.head);
  if (value === undefined) throw http.notAModel(http.head);
  yield { type: "whole", value };
}

function parse(http: Exchange, { event, data }: ServerEvent): Answer {
  if (data.trim() === "[DONE]") return { type: "done" };
  const value = tryParse(data);
  if (value !== undefined) return { type: "event", name: event, value };
  throw http.protocol(
    `a chunk that is not JSON: "${http.quote(data, 120)}"`,
    data,
  );
}
