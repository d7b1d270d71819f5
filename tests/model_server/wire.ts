/** One request as the server got it. */
export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  /** Parsed when it was JSON. */
  // deno-lint-ignore no-explicit-any -- tests look into it freely
  readonly body: any;
}

/** The server's end of one connection; what is written goes out as it is. */
export interface Wire {
  /** Aborted when the client hangs up or the server stops. */
  readonly signal: AbortSignal;
  write(data: string | Uint8Array): Promise<void>;
  /** Waits, but no longer than the connection lives. */
  pause(ms: number): Promise<void>;
}

/** Answers one request on the raw connection. */
export type Handler = (wire: Wire, request: Recorded) => Promise<void>;

/** A handler that answers before it reads the body, so that closing resets. */
export interface Resetting {
  readonly reset: Handler;
}

/** Serves one connection: reads a request, asks `choose`, lets it answer, closes. */
export async function serve(
  conn: Deno.Conn,
  stop: AbortSignal,
  choose: (method: string, path: string) => Handler | Resetting,
  record: (request: Recorded) => void,
): Promise<void> {
  const gone = new AbortController();
  const close = () => gone.abort();
  stop.addEventListener("abort", close);
  try {
    const { head, rest } = await readHead(conn);
    if (head === "") return;
    const [first = "", ...lines] = head.split("\r\n");
    const [method = "", target = ""] = first.split(" ");
    // Over a Unix socket Deno sends the absolute form.
    const path = target.replace(/^https?:\/\/[^/]*/, "");
    const headers = new Headers(
      lines.map((l): [string, string] => {
        const colon = l.indexOf(":");
        return [l.slice(0, colon), l.slice(colon + 1)];
      }),
    );
    const chosen = choose(method, path);
    const wire = wireOf(conn, gone.signal);
    if ("reset" in chosen) {
      const request = { method, path, headers, body: undefined };
      record(request);
      return await chosen.reset(wire, request);
    }
    const text = await readBody(
      conn,
      rest,
      Number(headers.get("content-length") ?? 0),
    );
    const request = { method, path, headers, body: parsed(text) };
    record(request);
    const watching = watchHangUp(conn, gone);
    await chosen(wire, request);
    gone.abort();
    tryClose(conn);
    await watching;
  } catch (error) {
    if (!gone.signal.aborted && !isNetwork(error)) throw error;
  } finally {
    stop.removeEventListener("abort", close);
    gone.abort();
    tryClose(conn);
  }
}

/** Writes an ordinary HTTP response; the connection's end is the body's. */
export function respond(response: Response): Handler {
  return async (wire) => {
    const { status, headers } = response;
    const lines = [...headers].map(([k, v]) => `${k}: ${v}\r\n`).join("");
    await wire.write(
      `HTTP/1.1 ${status} ${
        STATUS[status] ?? ""
      }\r\n${lines}connection: close\r\n\r\n`,
    );
    const reader = response.body?.getReader();
    if (!reader) return;
    const cancel = () => void reader.cancel();
    wire.signal.addEventListener("abort", cancel);
    if (wire.signal.aborted) cancel();
    for (let r = await reader.read(); !r.done; r = await reader.read()) {
      await wire.write(r.value);
    }
    wire.signal.removeEventListener("abort", cancel);
  };
}

/** Streams pieces as `text/event-stream`, chunked, `ms` apart; ends properly. */
export function stream(
  pieces: readonly (string | Uint8Array)[],
  ms = 0,
): Handler {
  return async (wire) => {
    await wire.write(STREAM_HEAD);
    for (const piece of pieces) {
      if (ms > 0) await wire.pause(ms);
      if (wire.signal.aborted) return;
      await wire.write(chunked(piece));
    }
    await wire.write("0\r\n\r\n");
  };
}

/** The head of a streamed answer. */
export const STREAM_HEAD =
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n";

/** One chunk of a chunked body. */
export function chunked(piece: string | Uint8Array): Uint8Array {
  const data = typeof piece === "string"
    ? new TextEncoder().encode(piece)
    : piece;
  const head = new TextEncoder().encode(`${data.length.toString(16)}\r\n`);
  const all = new Uint8Array(head.length + data.length + 2);
  all.set(head);
  all.set(data, head.length);
  all.set([13, 10], head.length + data.length);
  return all;
}

const STATUS: Readonly<Record<number, string>> = {
  200: "OK",
  302: "Found",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  408: "Request Timeout",
  409: "Conflict",
  413: "Payload Too Large",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
};

function wireOf(conn: Deno.Conn, signal: AbortSignal): Wire {
  return {
    signal,
    async write(data) {
      let bytes = typeof data === "string"
        ? new TextEncoder().encode(data)
        : data;
      while (bytes.length > 0) bytes = bytes.subarray(await conn.write(bytes));
    },
    pause(ms) {
      return new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          resolve();
        };
        const timer = setTimeout(done, ms);
        signal.addEventListener("abort", done);
      });
    },
  };
}

// Small reads: what is not read yet makes the kernel reset on close.
async function readHead(conn: Deno.Conn) {
  const buffer = new Uint8Array(64);
  let head = "";
  while (true) {
    const n = await conn.read(buffer);
    if (n === null) return { head: "", rest: new Uint8Array() };
    head += latin1(buffer.subarray(0, n));
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) continue;
    const rest = Uint8Array.from(head.slice(end + 4), (c) => c.charCodeAt(0));
    return { head: head.slice(0, end), rest };
  }
}

async function readBody(conn: Deno.Conn, rest: Uint8Array, length: number) {
  const body = new Uint8Array(length);
  body.set(rest);
  let at = rest.length;
  while (at < length) {
    const n = await conn.read(body.subarray(at));
    if (n === null) break;
    at += n;
  }
  return new TextDecoder().decode(body);
}

async function watchHangUp(conn: Deno.Conn, gone: AbortController) {
  try {
    while (await conn.read(new Uint8Array(256)) !== null);
  } catch { /* closed, by either side */ }
  gone.abort();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function tryClose(conn: Deno.Conn): void {
  try {
    conn.close();
  } catch { /* closed already */ }
}

function isNetwork(error: unknown): boolean {
  return error instanceof Deno.errors.ConnectionReset ||
    error instanceof Deno.errors.BrokenPipe ||
    error instanceof Deno.errors.ConnectionAborted ||
    error instanceof Deno.errors.NotConnected ||
    error instanceof Deno.errors.BadResource ||
    error instanceof Deno.errors.Interrupted;
}
