import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp";
import type {
  FetchLike,
  Transport,
} from "@modelcontextprotocol/sdk/shared/transport";
import type {
  JSONRPCMessage,
  RequestId,
} from "@modelcontextprotocol/sdk/types";

/** How long the end of a stream may be ahead of what was read from it. */
const READ_MS = 50;
const GOODBYE_MS = 1000;

/**
 * Streamable HTTP in which every request is answered. The SDK waits on when
 * the stream of an answer ends without one; here that is an error answer.
 */
export class AnsweredTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  readonly #inner: StreamableHTTPClientTransport;
  readonly #open = new Set<RequestId>();
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  #closing: Promise<void> | undefined;

  constructor(make: (fetch: FetchLike) => StreamableHTTPClientTransport) {
    this.#inner = make((url, init) => this.#fetch(url, init));
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  start(): Promise<void> {
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message) => this.#hear(message);
    return this.#inner.start();
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  send(message: JSONRPCMessage): Promise<void> {
    if ("method" in message && "id" in message) this.#open.add(message.id);
    return this.#inner.send(message);
  }

  /** Tells the server that the session is over, if it still listens. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#inner.sessionId !== undefined) {
      const goodbye = this.#inner.terminateSession().catch(() => {}); // gone already
      await Promise.race([goodbye, this.#later(GOODBYE_MS)]);
    }
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#inner.close();
  }

  #hear(message: JSONRPCMessage): void {
    if (!("method" in message) && message.id !== undefined) {
      this.#open.delete(message.id);
    }
    this.onmessage?.(message);
  }

  async #fetch(url: string | URL, init?: RequestInit): Promise<Response> {
    const response = await fetch(url, init);
    const id = requestId(init?.body);
    const type = response.headers.get("content-type") ?? "";
    if (id === undefined || !response.body || !/event-stream/i.test(type)) {
      return response;
    }
    const { readable, writable, ids } = watched();
    response.body.pipeTo(writable).catch(() => {}).then(async () => {
      if (ids.seen) return; // it will be resumed
      await this.#later(READ_MS);
      this.#giveUp(id);
    });
    return new Response(readable, response);
  }

  #giveUp(id: RequestId): void {
    if (this.#closing || !this.#open.has(id)) return;
    const error = {
      code: -32000,
      message: "The server ended its answer early",
    };
    this.#hear({ jsonrpc: "2.0", id, error });
  }

  #later(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#closing && ms === READ_MS) return;
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        resolve();
      }, ms);
      this.#timers.add(timer);
    });
  }
}

/** A stream that notes whether an event had an id, by which it can be resumed. */
function watched() {
  const decoder = new TextDecoder();
  const ids = { seen: false };
  let tail = "\n";
  const stream = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const text = tail + decoder.decode(chunk, { stream: true });
      ids.seen ||= /[\r\n]id:/.test(text);
      tail = text.slice(-3);
      controller.enqueue(chunk);
    },
  });
  const { readable, writable } = stream;
  return { readable, writable, ids };
}

function requestId(body: unknown): RequestId | undefined {
  if (typeof body !== "string") return undefined;
  const message = JSON.parse(body);
  return "method" in message ? message.id : undefined;
}
