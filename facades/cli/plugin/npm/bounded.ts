/**
 * All bytes of a stream. Past `limit` of them, whatever was announced, it is
 * cancelled, and a RangeError says `problem`.
 */
export async function bounded(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  limit: number,
  problem: string,
): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > limit) throw new RangeError(problem);
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
