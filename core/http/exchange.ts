import { ModelError } from "../error.ts";
import { type Address, urlOf } from "./address.ts";
import { duration } from "./duration.ts";
import {
  complaint,
  type Flaw,
  flawed,
  lineOf,
  networkError,
  oneLine,
} from "./fault.ts";
import { retryAfter } from "./retry.ts";
import { Watchdog } from "./watchdog.ts";

/** A model server, and how to talk to it. */
export interface Server {
  readonly address: Address;
  readonly headers: Readonly<Record<string, string>>;
  /** Longest wait for the next byte. */
  readonly watchdogMs: number;
  /** What to do about a refused key: `set OPENAI_API_KEY`. */
  readonly keyHint: string;
  /** Hides the key and all else that is secret, should the server repeat it. */
  redact(text: string): string;
  /** Opens an HTTP client on a Unix socket: the platform's part. */
  dial(socket: string): Client;
  readonly now?: () => Date;
}

/** What `fetch` takes as `client`. */
export interface Client {
  close(): void;
}

const MAX_ERROR_BODY = 64 * 1024;
const MAX_BODY = 16 * 1024 * 1024;
const MAX_STREAM = 128 * 1024 * 1024;
const HEAD = 8000;

/** One HTTP request and its answer. Disposing of it closes the connection. */
export class Exchange implements AsyncDisposable {
  readonly response: Response;
  #server: Server;
  #watchdog: Watchdog;
  #client: Client | undefined;
  #head = "";

  private constructor(
    server: Server,
    response: Response,
    watchdog: Watchdog,
    client: Client | undefined,
  ) {
    this.#server = server;
    this.response = response;
    this.#watchdog = watchdog;
    this.#client = client;
  }

  /** Sends `body` as JSON by POST, or a GET without one. Resolves when the headers are there. */
  static async open(
    server: Server,
    path: string,
    body: unknown,
    signal: AbortSignal,
  ): Promise<Exchange> {
    signal.throwIfAborted();
    const { address, headers } = server;
    const watchdog = new Watchdog(
      server.watchdogMs,
      signal,
      () => stalled(server),
    );
    let client: Client | undefined;
    try {
      client = address.socket ? server.dial(address.socket) : undefined;
      const init = {
        method: body === undefined ? "GET" : "POST",
        headers: body === undefined
          ? headers
          : { "content-type": "application/json", ...headers },
        body: body === undefined ? null : JSON.stringify(body),
        redirect: "manual",
        signal: watchdog.signal,
        ...client && { client },
      } satisfies RequestInit & { client?: Client };
      const response = await watchdog.wait(fetch(urlOf(address, path), init));
      return new Exchange(server, response, watchdog, client);
    } catch (error) {
      client?.close();
      watchdog[Symbol.dispose]();
      watchdog.signal.throwIfAborted();
      throw networkError(server, error);
    }
  }

  /** The media type, without parameters. */
  get media(): string {
    const type = this.response.headers.get("content-type") ?? "";
    return (type.split(";")[0] ?? "").trim().toLowerCase();
  }

  /** The start of the body, as far as it was read. */
  get head(): string {
    return this.#head;
  }

  /** The body, each wait under the watchdog. Reading less closes the connection. */
  async *chunks(max = MAX_STREAM): AsyncGenerator<Uint8Array> {
    const reader = this.response.body?.getReader();
    if (!reader) return;
    const decoder = new TextDecoder();
    let size = 0;
    try {
      while (true) {
        const { value, done } = await this.#watchdog.wait(reader.read());
        if (done) return;
        size += value.length;
        if (this.#head.length < HEAD) {
          this.#head += decoder.decode(value.subarray(0, HEAD), {
            stream: true,
          });
        }
        if (size > max) throw new RangeError(`more than ${mib(max)} MiB`);
        yield value;
      }
    } catch (error) {
      this.#watchdog.signal.throwIfAborted();
      if (error instanceof RangeError) throw this.protocol(error.message);
      throw networkError(this.#server, error);
    } finally {
      await reader.cancel().catch(() => {}); // it failed already, or it is closed
    }
  }

  /** The body as text. More than `max` bytes are an error, or with `cut` left out. */
  async text(max = MAX_BODY, cut = false): Promise<string> {
    const decoder = new TextDecoder();
    let text = "";
    let size = 0;
    for await (const chunk of this.chunks(cut ? Infinity : max)) {
      text += decoder.decode(chunk.subarray(0, max - size), { stream: true });
      size += chunk.length;
      if (cut && size >= max) break;
    }
    return text + decoder.decode();
  }

  /** Throws unless the status is 2xx. `hint` may know more about an error. */
  async expectOk(
    hint?: (status: number, body: string) => Promise<string | undefined>,
  ): Promise<void> {
    const { status, statusText, headers, ok } = this.response;
    if (ok) return;
    if (status >= 300 && status < 400) throw this.#redirected();
    const body = await this.text(MAX_ERROR_BODY, true);
    const now = this.#server.now?.() ?? new Date();
    throw complaint(this.#server, {
      status,
      label: `HTTP ${status} ${statusText}`.trim(),
      body,
      hint: await hint?.(status, body),
      retryAfterMs: retryAfter(headers, now),
    });
  }

  /** The whole body as JSON; throws when it is anything else. */
  async json(): Promise<unknown> {
    const text = await this.text();
    try {
      return JSON.parse(text);
    } catch {
      throw this.notAModel(text);
    }
  }

  /** An answer that no model server gives: a web page, plain text, nothing. */
  notAModel(body: string): ModelError {
    // Comments only keep a connection alive.
    if (body.replaceAll(/^:.*$/gm, "").trim() === "") {
      return this.protocol("the answer was empty");
    }
    const page = /html/.test(this.media) || /^\s*<(!doctype|html)/i.test(body);
    const what = page
      ? `a web page instead of an answer (${this.quote(body, 80)})`
      : `unexpected answer "${this.quote(body, 120)}"`;
    const hint = "check baseURL";
    return flawed(this.#server, { kind: "protocol", what, hint }, body);
  }

  /** An answer that came whole and yet is none. */
  flawed(flaw: Flaw): ModelError {
    return flawed(this.#server, flaw, this.#head);
  }

  /** A breach of protocol; `raw` is the start of the body when not given. */
  protocol(what: string, raw: string = this.#head): ModelError {
    return flawed(this.#server, { kind: "protocol", what }, raw);
  }

  /** What the server said, on one line and cut, with nothing secret in it. */
  quote(text: string, max: number): string {
    return oneLine(this.#server.redact(text), max);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { body } = this.response;
    if (body && !body.locked) await body.cancel().catch(() => {});
    this.#watchdog[Symbol.dispose]();
    this.#client?.close();
  }

  #redirected(): ModelError {
    const { status, headers } = this.response;
    const to = this.quote(headers.get("location") ?? "", 120);
    const what = `HTTP ${status} redirects${to ? ` to ${to}` : ""}`;
    const hint = "check baseURL";
    return flawed(this.#server, { kind: "protocol", what, hint });
  }
}

function stalled(server: Server): ModelError {
  const line = lineOf(
    server,
    `no byte for ${duration(server.watchdogMs)}`,
    "raise watchdogTimeout if the model is only slow",
  );
  return new ModelError("watchdog", line);
}

function mib(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
