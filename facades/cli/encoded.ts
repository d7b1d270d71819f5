/** The bytes of a text, a piece at a time, in a buffer that is used again: a long text is not encoded whole beside itself. */
export function* encoded(text: string): Generator<Uint8Array> {
  const buffer = new Uint8Array(Math.min(3 * text.length, 64 * 1024));
  for (let rest = text; rest.length > 0;) {
    const { read, written } = encoder.encodeInto(rest, buffer);
    rest = rest.slice(read);
    yield buffer.subarray(0, written);
  }
}

const encoder = new TextEncoder();
