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
  let event = "";
  let data: string[] = [];
  let size = 0;
  for await (const line of lines(chunks, max)) {
    if (line === "") {
      if (data.length > 0) yield { event, data: data.join("\n") };
      event = "";
      data = [];
      size = 0;
      continue;
    }
    const [field, value] = split(line);
    if (field === "event") event = value;
    if (field === "error") event = "error";
    if (field !== "data" && field !== "error") continue;
    size += value.length;
    if (size > max) throw new RangeError(tooLong(max));
    data.push(value);
  }
  if (data.length > 0) yield { event, data: data.join("\n") };
}

function split(line: string): [field: string, value: string] {
  const colon = line.indexOf(":");
  if (colon < 0) return [line, ""];
  const skip = line[colon + 1] === " " ? 2 : 1;
  return [line.slice(0, colon), line.slice(colon + skip)];
}

// A line may end in \n, \r or \r\n, and arrive in pieces: they are joined once,
// at its end, so a long one costs no more than its length.
async function* lines(
  chunks: AsyncIterable<Uint8Array>,
  max: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(); // drops a byte order mark
  let pieces: string[] = [];
  let size = 0;
  let afterReturn = false;
  for await (const chunk of chunks) {
    let text = decoder.decode(chunk, { stream: true });
    if (text === "") continue;
    if (afterReturn && text.startsWith("\n")) text = text.slice(1);
    afterReturn = text.endsWith("\r");
    const parts = text.split(/\r\n|\n|\r/);
    const rest = parts.pop() ?? "";
    for (const part of parts) {
      yield pieces.join("") + part;
      pieces = [];
      size = 0;
    }
    pieces.push(rest);
    size += rest.length;
    if (size > max) throw new RangeError(tooLong(max));
  }
}

function tooLong(max: number): string {
  return `an event longer than ${Math.round(max / 1024)} KiB`;
}
