/** Sends bytes to a port of this machine; all that comes back until it is closed, or `enough`. */
export async function rawHttp(
  port: number,
  request: string | Uint8Array<ArrayBuffer>,
  enough: (answer: string) => boolean = () => false,
): Promise<string> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const text = new TextDecoder("latin1");
  let answer = "";
  try {
    const bytes = typeof request === "string"
      ? new TextEncoder().encode(request)
      : request;
    await connection.write(bytes);
    const buffer = new Uint8Array(64 * 1024);
    while (!enough(answer)) {
      const read = await connection.read(buffer);
      if (read === null) break;
      answer += text.decode(buffer.subarray(0, read), { stream: true });
    }
  } catch { // reset by the server
  } finally {
    connection.close();
  }
  return answer;
}

/** True of an answer whose head is whole: a WebSocket stays open behind it. */
export function hasHead(answer: string): boolean {
  return answer.includes("\r\n\r\n");
}

/** A request for a WebSocket, with `headers` in place of the usual ones; undefined leaves one out. */
export function upgrade(
  port: number,
  headers: { readonly [name: string]: string | undefined },
  path = "/ws",
): string {
  const all = {
    "Host": `127.0.0.1:${port}`,
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`]
  );
  return [`GET ${path} HTTP/1.1`, ...lines, "", ""].join("\r\n");
}

/** The status of an answer. */
export function status(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
}
