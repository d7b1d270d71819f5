import { errorLine } from "../../core/error.ts";

/**
 * The lines of a byte stream, without their ends (LF or CRLF). Invalid UTF-8
 * becomes U+FFFD; the last line needs no end. An abort ends it quietly.
 */
export async function* lines(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const reader = stream.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", cancel);
  try {
    yield* split(chunks(reader, signal));
  } finally {
    signal.removeEventListener("abort", cancel);
    await reader.cancel().catch(() => {});
  }
}

async function* chunks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  while (!signal.aborted) {
    const { done, value } = await reader.read().catch((error) => {
      throw new Error(`Cannot read stdin: ${errorLine(error)}`, {
        cause: error,
      });
    });
    if (done) break;
    yield decoder.decode(value, { stream: true });
  }
  yield decoder.decode();
}

async function* split(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let parts: string[] = []; // of one line: a long one arrives in many chunks
  for await (const chunk of chunks) {
    const [first = "", ...rest] = chunk.split("\n");
    parts.push(first);
    for (const next of rest) {
      yield parts.join("").replace(/\r$/, "");
      parts = [next];
    }
  }
  const last = parts.join("").replace(/\r$/, "");
  if (last) yield last;
}
