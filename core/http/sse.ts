import { createParser } from "eventsource-parser";

/** One server-sent event. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Longest event a server may send, in UTF-16 units: memory stays bounded. */
export const MAX_EVENT = 8 * 1024 * 1024;

/**
 * Reads server-sent events as the HTML standard says, but for two kinds of
 * server: those that leave out the last blank line, and old llama.cpp, which
 * sends `error: {…}` as a field: it comes out as an event of that name.
 */
export async function* serverEvents(
  chunks: AsyncIterable<Uint8Array>,
  max: number = MAX_EVENT,
): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder(); // drops a byte order mark
  const ready: ServerEvent[] = [];
  let tooLong = false;
  let last = "";
  const parser = createParser({
    maxBufferSize: max,
    onEvent: ({ event = "", data }) => ready.push({ event, data }),
    onError({ type, field, value = "" }) {
      tooLong ||= type === "max-buffer-size-exceeded";
      if (field === "error") ready.push({ event: field, data: value });
    },
  });
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    parser.feed(text);
    last = text.at(-1) ?? last;
    yield* ready.splice(0);
    if (tooLong) {
      throw new RangeError(
        `an event longer than ${Math.round(max / 1024)} KiB`,
      );
    }
  }
  if (/[\r\n]/.test(last)) parser.feed("\n"); // a torn last line is no event
  yield* ready;
}
